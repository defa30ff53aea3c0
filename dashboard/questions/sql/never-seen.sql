-- What has no table tried yet?
-- group: rules
-- definition: cards of which no copy left its deck, keywords whose cards did not, rules that were never at stake, event
--   types (remarks left aside, which nobody has to test) that neither stand in a log nor follow from one, ways to end
--   that no game has taken. What to test next. Of a game of which lines are not read (`log.gap`), no card is named:
--   they may tell of it. Nor is one of a game in which no card has ever left a deck: its logs do not tell where cards lie.
-- chart: table
-- column what: card, keyword, rule, event or ending
-- column name: its id
-- column title: its name or sentence
WITH at_stake AS (
  SELECT rule FROM rule_sums
  WHERE ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY rule
  HAVING sum(kept + broken + unverifiable + kept_later + follow_ups) > 0
),
tried AS (
  SELECT game, 'card' AS what, card AS name FROM card_sums
  WHERE measure = 'appeared'
      AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  GROUP BY game, card
  HAVING sum(n) > 0
  UNION ALL
  -- A rule's id begins with its game.
  SELECT split_part(rule, '.', 1), 'rule', rule FROM at_stake
  UNION ALL
  SELECT DISTINCT game, 'event', type FROM action_sums
  WHERE type IS NOT NULL
      AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
  UNION ALL
  SELECT DISTINCT game, 'ending', reason FROM games
  WHERE reason IS NOT NULL
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
),
unread AS (
  SELECT DISTINCT game FROM games
  WHERE detail = 'partial'
    AND ($game IS NULL OR game = $game)
      AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
      AND ($source IS NULL OR source = $source)
      AND (clean OR NOT $clean)
),
keywords AS (
  SELECT game, what, catalogue.name FROM catalogue
  WHERE what = 'keyword'
  AND EXISTS (
    SELECT 1 FROM tried WHERE tried.game = catalogue.game AND tried.what = 'card' AND tried.name = catalogue.detail
  )
)
SELECT game, what, name, replace(any_value(title), '`', '"') AS title, any_value(detail) AS detail
FROM catalogue
WHERE ($game IS NULL OR game = $game)
  AND game IN (SELECT game FROM tried)
  AND NOT (what = 'rule' AND detail = 'unchecked')
  AND NOT (what IN ('card', 'keyword') AND game IN (SELECT game FROM unread))
  AND (what NOT IN ('card', 'keyword') OR game IN (SELECT game FROM tried AS seen WHERE seen.what = 'card'))
  AND NOT (what = 'event' AND detail = 'remark')
  AND (game, what, name) NOT IN (SELECT game, what, name FROM tried)
  AND (game, what, name) NOT IN (SELECT game, what, name FROM keywords)
GROUP BY game, what, name
ORDER BY game, what, name
