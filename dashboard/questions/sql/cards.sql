-- Which cards win?
-- group: cards
-- definition: `seen_rate`: games won by the side that had at least one copy in hand / such games. Copy-weighted beside
--   it: `gih_rate` (games in hand) counts each copy that was in the opening hand or drawn, `oh_rate` those of the
--   opening hand and `gd_rate` those that were drawn later, `gns_rate` (games not seen) each copy of the deck that never
--   came to the hand; `iwd` is `gih_rate` minus `gns_rate`, where both have at least ten copies. Only sides whose hands are
--   known (`sides_known` of `sides`), and no games between equal decks. What comes together in a game widens the
--   intervals. A strong deck makes all its cards look strong: `card-effects` allows for it.
-- counts: decisive, hands, decks
-- share seen_rate: seen_wins / seen_games in seen_clumps
-- share gih_rate: gih_wins / gih in gih_clumps
-- share oh_rate: oh_wins / oh in oh_clumps
-- share gd_rate: gd_wins / gd in gd_clumps
-- share gns_rate: gns_wins / gns in gns_clumps
-- percents: baseline
-- points: iwd
-- chart: dots of seen_rate with intervals, a dot a card
-- column seen_games: sides that had the card in hand
-- column gih: copies in the opening hand or drawn
-- column oh: copies in the opening hand
-- column gd: copies drawn later
-- column gns: copies that never came to the hand
-- column iwd: gih_rate minus gns_rate
-- column baseline: the share if nothing mattered: one in the number of players, over the sides that had the card
WITH sides AS (
  SELECT game, ruleset, count(*) AS sides, count(*) FILTER (WHERE hand_known) AS sides_known
  FROM seats
  WHERE decisive
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset
),
counted AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    CAST(coalesce(sum(n) FILTER (WHERE measure = 'seen'), 0) AS BIGINT) AS seen_games,
    CAST(coalesce(sum(h) FILTER (WHERE measure = 'seen'), 0) AS BIGINT) AS seen_wins,
    {'games': sum(games) FILTER (WHERE measure = 'seen'), 'hh': sum(hh) FILTER (WHERE measure = 'seen'),
      'hn': sum(hn) FILTER (WHERE measure = 'seen'), 'nn': sum(nn) FILTER (WHERE measure = 'seen')} AS seen_clumps,
    CAST(coalesce(sum(n) FILTER (WHERE measure = 'in hand'), 0) AS BIGINT) AS gih,
    CAST(coalesce(sum(h) FILTER (WHERE measure = 'in hand'), 0) AS BIGINT) AS gih_wins,
    {'games': sum(games) FILTER (WHERE measure = 'in hand'), 'hh': sum(hh) FILTER (WHERE measure = 'in hand'),
      'hn': sum(hn) FILTER (WHERE measure = 'in hand'), 'nn': sum(nn) FILTER (WHERE measure = 'in hand')} AS gih_clumps,
    CAST(coalesce(sum(n) FILTER (WHERE measure = 'opening'), 0) AS BIGINT) AS oh,
    CAST(coalesce(sum(h) FILTER (WHERE measure = 'opening'), 0) AS BIGINT) AS oh_wins,
    {'games': sum(games) FILTER (WHERE measure = 'opening'), 'hh': sum(hh) FILTER (WHERE measure = 'opening'),
      'hn': sum(hn) FILTER (WHERE measure = 'opening'), 'nn': sum(nn) FILTER (WHERE measure = 'opening')} AS oh_clumps,
    CAST(coalesce(sum(n) FILTER (WHERE measure = 'drawn'), 0) AS BIGINT) AS gd,
    CAST(coalesce(sum(h) FILTER (WHERE measure = 'drawn'), 0) AS BIGINT) AS gd_wins,
    {'games': sum(games) FILTER (WHERE measure = 'drawn'), 'hh': sum(hh) FILTER (WHERE measure = 'drawn'),
      'hn': sum(hn) FILTER (WHERE measure = 'drawn'), 'nn': sum(nn) FILTER (WHERE measure = 'drawn')} AS gd_clumps,
    CAST(coalesce(sum(n) FILTER (WHERE measure = 'unseen'), 0) AS BIGINT) AS gns,
    CAST(coalesce(sum(h) FILTER (WHERE measure = 'unseen'), 0) AS BIGINT) AS gns_wins,
    {'games': sum(games) FILTER (WHERE measure = 'unseen'), 'hh': sum(hh) FILTER (WHERE measure = 'unseen'),
      'hn': sum(hn) FILTER (WHERE measure = 'unseen'), 'nn': sum(nn) FILTER (WHERE measure = 'unseen')} AS gns_clumps,
    sum(1.0 * n / players) FILTER (WHERE measure = 'seen') AS even
  FROM card_sums
  WHERE measure IN ('seen', 'in hand', 'opening', 'drawn', 'unseen')
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, card
)
SELECT game, ruleset, card, card_name, kind, seen_games, seen_wins, seen_clumps, gih, gih_wins, gih_clumps,
  oh, oh_wins, oh_clumps, gd, gd_wins, gd_clumps, gns, gns_wins, gns_clumps,
  CASE WHEN gih >= 10 AND gns >= 10 THEN 1.0 * gih_wins / gih - 1.0 * gns_wins / gns END AS iwd,
  CASE WHEN seen_games > 0 THEN round(even / seen_games, 6) END AS baseline,
  sides_known, sides
FROM counted
JOIN sides USING (game, ruleset)
WHERE gih + gns + seen_games > 0
ORDER BY game, ruleset, seen_games DESC, card
