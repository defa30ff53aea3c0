-- Which games are there?
-- group: overview
-- definition: every game with its result, its length and what the audit found; the way from a number to its games.
-- personal: names, won_by, scores, game_id
-- chart: table
-- column game_id: the played match
-- column names: the players in the order of their seats
-- column scores: the players with what they played and their scores, the best first, where one of both is known of all
-- column findings: findings of all kinds
-- column illegal: findings that are illegal or missing
-- column mistakes: lines with something wrong that neither follows from an earlier one nor comes after something illegal
WITH found AS (
  SELECT game_id, ruleset_id, count(*) AS findings,
    count(*) FILTER (WHERE kind IN ('illegal', 'missing')) AS illegal,
    count(DISTINCT seq) FILTER (WHERE kind IN ('illegal', 'missing', 'mismatch', 'drift') AND first_hand) AS mistakes
  FROM findings
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game_id, ruleset_id
),
named AS (
  -- Of results alone nobody knows where somebody sat: then the order is that of the log.
  SELECT game_id, ruleset_id, string_agg(name, ', ' ORDER BY seat, player) AS names,
    string_agg(name, ' and ' ORDER BY seat, player) FILTER (WHERE won) AS won_by,
    CASE WHEN count(*) IN (count(score), count(deck)) THEN
      string_agg(name || coalesce(' (' || deck_called || ')', '') || coalesce(' ' || printf('%g', score), ''), ', '
        ORDER BY place, CASE WHEN fewest THEN score ELSE -score END, won DESC, seat, player)
    END AS scores
  FROM (
    SELECT *,
      max(score) FILTER (WHERE won) OVER game_of = min(score) OVER game_of AS fewest,
      CASE WHEN deck = lower(deck)
        THEN array_to_string([upper(word[1]) || word[2:] FOR word IN string_split(replace(deck, '-', ' '), ' ')], ' ')
        ELSE deck
      END AS deck_called
    FROM seats
    WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
    WINDOW game_of AS (PARTITION BY game_id, ruleset_id)
  )
  GROUP BY game_id, ruleset_id
)
SELECT game, game_id, ruleset, detail, began, players, names, won_by, scores, winner, cooperative, reason, over, clean, rounds, turns, decisions, minutes,
  lead_changes, deepest_deficit, events, questions, take_backs, coalesce(findings, 0) AS findings, coalesce(illegal, 0) AS illegal,
  coalesce(mistakes, 0) AS mistakes, first_illegal_seq,
  stopped
FROM games
LEFT JOIN found USING (game_id, ruleset_id)
LEFT JOIN named USING (game_id, ruleset_id)
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
ORDER BY game, started_at, length(game_id), game_id, ruleset
