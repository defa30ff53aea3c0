-- Which cards win, just counted?
-- group: cards
-- definition: `seen_rate`: games won by the side that had at least one copy in hand / such games. Copy-weighted beside
--   it: `gih_rate` (games in hand) counts each copy that was in the opening hand or drawn, `oh_rate` those of the
--   opening hand and `gd_rate` those that were drawn later, `gns_rate` (games not seen) each copy of the deck that never
--   came to the hand; `iwd` is gih_rate minus gns_rate, where both have at least ten copies. Only sides whose hands are
--   known (`sides_known` of `sides`), and no games between equal decks. What comes together in a game widens the
--   intervals. A strong deck makes all its cards look strong: `card-effects` allows for it.
-- counts: decisive, hands, decks
-- share seen_rate: seen_wins / seen_games in seen_clumps
-- share gih_rate: gih_wins / gih in gih_clumps
-- share oh_rate: oh_wins / oh in oh_clumps
-- share gd_rate: gd_wins / gd in gd_clumps
-- share gns_rate: gns_wins / gns in gns_clumps
-- percents: iwd, baseline
-- chart: dots of seen_rate with intervals, a dot a card
-- column seen_games: sides that had the card in hand
-- column gih: copies in the opening hand or drawn
-- column oh: copies in the opening hand
-- column gd: copies drawn later
-- column gns: copies that never came to the hand
-- column iwd: gih_rate minus gns_rate
-- column baseline: the share if nothing mattered: one in the number of players, over the sides that had the card
WITH tables AS (
  SELECT game_id, ruleset_id, count(*) AS players,
    count(*) > 1 AND count(deck) = count(*) AND count(DISTINCT deck) = 1 AS mirror
  FROM seats
  GROUP BY game_id, ruleset_id
),
sides AS (
  SELECT game, ruleset, count(*) AS sides, count(*) FILTER (WHERE hand_known) AS sides_known
  FROM seats
  WHERE decisive
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset
),
held AS (
  SELECT game, ruleset, ruleset_id, game_id, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    sum(CAST(seen > 0 AS BIGINT)) AS seen_n, sum(CAST(seen > 0 AND won AS BIGINT)) AS seen_h,
    sum(CASE WHEN seen > 0 THEN 1.0 / players ELSE 0 END) AS even,
    sum(opening) AS oh_n, sum(CASE WHEN won THEN opening ELSE 0 END) AS oh_h,
    sum(drawn) AS gd_n, sum(CASE WHEN won THEN drawn ELSE 0 END) AS gd_h,
    coalesce(sum(greatest(copies - seen, 0)), 0) AS gns_n,
    coalesce(sum(CASE WHEN won THEN greatest(copies - seen, 0) ELSE 0 END), 0) AS gns_h
  FROM cards
  JOIN tables USING (game_id, ruleset_id)
  WHERE decisive
    AND hand_known
    AND NOT mirror
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
  GROUP BY game, ruleset, ruleset_id, game_id, card
),
counted AS (
  SELECT game, ruleset, card, any_value(card_name) AS card_name, any_value(kind) AS kind,
    CAST(sum(seen_n) AS BIGINT) AS seen_games, CAST(sum(seen_h) AS BIGINT) AS seen_wins,
    CAST(sum(oh_n + gd_n) AS BIGINT) AS gih, CAST(sum(oh_h + gd_h) AS BIGINT) AS gih_wins,
    CAST(sum(oh_n) AS BIGINT) AS oh, CAST(sum(oh_h) AS BIGINT) AS oh_wins,
    CAST(sum(gd_n) AS BIGINT) AS gd, CAST(sum(gd_h) AS BIGINT) AS gd_wins,
    CAST(sum(gns_n) AS BIGINT) AS gns, CAST(sum(gns_h) AS BIGINT) AS gns_wins,
    sum(even) AS even,
    {'games': count(*) FILTER (WHERE seen_n > 0), 'hh': sum(seen_h * seen_h), 'hn': sum(seen_h * seen_n),
      'nn': sum(seen_n * seen_n)} AS seen_clumps,
    {'games': count(*) FILTER (WHERE oh_n + gd_n > 0), 'hh': sum((oh_h + gd_h) * (oh_h + gd_h)),
      'hn': sum((oh_h + gd_h) * (oh_n + gd_n)), 'nn': sum((oh_n + gd_n) * (oh_n + gd_n))} AS gih_clumps,
    {'games': count(*) FILTER (WHERE oh_n > 0), 'hh': sum(oh_h * oh_h), 'hn': sum(oh_h * oh_n),
      'nn': sum(oh_n * oh_n)} AS oh_clumps,
    {'games': count(*) FILTER (WHERE gd_n > 0), 'hh': sum(gd_h * gd_h), 'hn': sum(gd_h * gd_n),
      'nn': sum(gd_n * gd_n)} AS gd_clumps,
    {'games': count(*) FILTER (WHERE gns_n > 0), 'hh': sum(gns_h * gns_h), 'hn': sum(gns_h * gns_n),
      'nn': sum(gns_n * gns_n)} AS gns_clumps
  FROM held
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
