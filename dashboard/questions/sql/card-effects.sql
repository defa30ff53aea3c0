-- Which cards go with winning, deck and player allowed for?
-- group: cards
-- definition: how much more often sides won that had the card in hand, in shares won at one half (0.05 is five points):
--   a conditional logit of who won each game on the cards that each side had in hand at least once (those sent back
--   before play began do not count), its deck, its player, whether it began, and how many cards it saw: who wins has
--   mostly drawn more of them, whichever they were. It is no cause: `whatif --without` plays without the card. Two
--   things are said. The *interval* is what these games say of the card, whatever is thought of it: nothing is assumed of its effect, and the others are noise of a size
--   that the games tell. It holds the effect as often as it promises, also of one strong card among weak ones. The
--   *effect*, its rank and `helps` weigh that with how large effects mostly are: one in fifty may be large (a deviation
--   of 1 on the logit scale), the others are normal around 0 with a deviation that the games tell (before the first one
--   between 0.08 and 0.8 in two of three games); ranks are drawn for all cards together, each draw with one deviation.
--   The chance to be among the three highest hangs on that deviation: it is given from the least to the greatest by
--   all that the games do not speak against. `narrowed` is how much narrower the games make what was thought before;
--   below a fifth the interval is not shown. Hands that are not wholly known count as average ones. A card about which
--   fewer than ten games tell gets no word; of many cards some stand out by luck (`by_luck`). With `--lab` the effect
--   begins with what bots say of a card, where it was at play (`whatif --without CARD --json`): with a chance of one half
--   that is right, within its own error and a deviation of 0.3 between bots and people; else it says nothing. Kinds of
--   bots that differ make it less sure. The interval, `alone` and what stands out stay those of the games alone, which
--   hold the truth whether bots are right or not (docs/benchmarks.md); beside it stand what bots say (`lab`, `lab_pairs`)
--   and the effect without them (`unaided`).
-- method: card_effects
-- counts: decisive, hands
-- percents: narrowed, helps, top_3_low, top_3_high
-- points: effect, unaided, lab, alone, low, high, low_80, high_80
-- chart: dots of what the games alone say with intervals, those with the highest effect first
-- column games: games in which a known hand held it
-- column effect: how much the share of games won is higher with it, at one half, weighed with how large effects are
-- column alone: the same as these games alone say it
-- column low: lower end of the 95 % interval of these games alone, none where they narrowed by less than a fifth
-- column high: upper end of the 95 % interval
-- column low_80: lower end of the 80 % interval
-- column high_80: upper end of the 80 % interval
-- column narrowed: by how much the games narrowed what was thought before
-- column helps: probability that the effect is above 0
-- column rank: its middle rank among the cards, 1 the highest effect
-- column top_3_low: probability that it is among the three highest, the least by how large effects may be
-- column top_3_high: the greatest
-- column stands_out: at least ten games tell, and it is above 0, or below it, with a probability of 0.975 (`helps`)
-- column tested: cards with at least ten games
-- column by_luck: so many of them would stand out if no card mattered: few, as long as few games tell
-- promise intervals_of_cards: low, high
-- promise narrower_intervals_of_cards: low_80, high_80
-- promise helps_of_cards: helps
-- promise top_3_of_cards: top_3_low, top_3_high
-- promise cards_that_stand_out: stands_out, by_luck
WITH held AS (
  SELECT game_id, ruleset_id, player, list(card ORDER BY card) AS cards, list(card_name ORDER BY card) AS card_names
  FROM cards
  WHERE decisive
    AND seen > 0
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game_id, ruleset_id, player
)
SELECT game, ruleset, ruleset_id, game_id, player, deck, name, first, won, hand_known, cards, card_names
FROM seats
LEFT JOIN held USING (game_id, ruleset_id, player)
WHERE decisive
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
