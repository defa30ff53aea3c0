-- Which cards are worth keeping in the opening hand?
-- group: cards
-- definition: copies that play began with in hand (kept) and copies that left it again before (mulliganed),
--   each with the share that their side won, by deck: kept cards are compared with mulliganed ones of the same deck.
--   Known hands, games that somebody won.
-- share kept_rate: kept_wins / kept in kept_clumps
-- share mulliganed_rate: mulliganed_wins / mulliganed in mulliganed_clumps
-- counts: decisive, hands
-- percents: baseline
-- chart: table
-- column deck: the deck of the side
-- column kept: copies in the hand with which play began
-- column mulliganed: copies that went back
-- column baseline: the share if nothing mattered: one in the number of players, over these copies
SELECT game, ruleset, deck, card, any_value(card_name) AS card_name,
  CAST(sum(n) FILTER (WHERE measure = 'kept') AS BIGINT) AS kept,
  CAST(sum(h) FILTER (WHERE measure = 'kept') AS BIGINT) AS kept_wins,
  CAST(sum(n) FILTER (WHERE measure = 'mulliganed') AS BIGINT) AS mulliganed,
  CAST(sum(h) FILTER (WHERE measure = 'mulliganed') AS BIGINT) AS mulliganed_wins,
  {'games': sum(games) FILTER (WHERE measure = 'kept'), 'hh': sum(hh) FILTER (WHERE measure = 'kept'),
    'hn': sum(hn) FILTER (WHERE measure = 'kept'), 'nn': sum(nn) FILTER (WHERE measure = 'kept')} AS kept_clumps,
  {'games': sum(games) FILTER (WHERE measure = 'mulliganed'), 'hh': sum(hh) FILTER (WHERE measure = 'mulliganed'),
    'hn': sum(hn) FILTER (WHERE measure = 'mulliganed'), 'nn': sum(nn) FILTER (WHERE measure = 'mulliganed')}
    AS mulliganed_clumps,
  round(sum(1.0 * n / players) / sum(n), 6) AS baseline
FROM card_sums
WHERE measure IN ('kept', 'mulliganed')
  AND ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
GROUP BY game, ruleset, deck, card
HAVING sum(n) FILTER (WHERE measure = 'mulliganed') > 0
ORDER BY game, ruleset, mulliganed DESC, card, deck
