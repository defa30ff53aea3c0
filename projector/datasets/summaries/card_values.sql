-- How many sides have each value of a measure of a card: from these the medians of any choice of games are found.
WITH measured AS (
  SELECT game, ruleset_id, ruleset, source, clean, card, card_name, 'turns in hand' AS measure,
    1.0 * turns_in_hand / stays AS value
  FROM cards
  WHERE over AND hand_known AND stays > 0
  UNION ALL
  SELECT game, ruleset_id, ruleset, source, clean, card, card_name, 'first played', first_played
  FROM cards
  WHERE decisive AND first_played IS NOT NULL
)
SELECT game, ruleset_id, ruleset, source, clean, card, any_value(card_name) AS card_name, measure, value,
  count(*) AS sides
FROM measured
GROUP BY game, ruleset_id, ruleset, source, clean, card, measure, value
