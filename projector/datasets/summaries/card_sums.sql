-- For each card and measure: n things, h of them hits, and the squares that things which come together in games need.
WITH tables AS (
  SELECT game_id, ruleset_id, count(*) AS players,
    count(*) > 1 AND count(deck) = count(*) AND count(DISTINCT deck) = 1 AS mirror
  FROM seats
  GROUP BY game_id, ruleset_id
),
sides AS (
  SELECT cards.*, players, decisive AND hand_known AS told, decisive AND hand_known AND NOT mirror AS fair,
    over AND hand_known AND seen > 0 AS held
  FROM cards
  JOIN tables USING (game_id, ruleset_id)
),
of_games AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, card, any_value(card_name) AS card_name,
    any_value(kind) AS kind,
    sum(appeared) AS appeared,
    sum(CAST(seen > 0 AS INTEGER)) FILTER (WHERE fair) AS seen,
    count(*) FILTER (WHERE fair AND won AND seen > 0) AS seen_won,
    sum(opening) FILTER (WHERE fair) AS opening,
    coalesce(sum(opening) FILTER (WHERE fair AND won), 0) AS opening_won,
    sum(drawn) FILTER (WHERE fair) AS drawn,
    coalesce(sum(drawn) FILTER (WHERE fair AND won), 0) AS drawn_won,
    sum(greatest(copies - seen, 0)) FILTER (WHERE fair) AS unseen,
    coalesce(sum(greatest(copies - seen, 0)) FILTER (WHERE fair AND won), 0) AS unseen_won,
    sum(seen) FILTER (WHERE held AND stays > 0) AS playing,
    sum(least(played, seen)) FILTER (WHERE held AND stays > 0) AS played,
    sum(seen) FILTER (WHERE held) AS held,
    sum(dead) FILTER (WHERE held) AS dead,
    sum(dead_discarded) FILTER (WHERE held) AS dead_discarded,
    sum(dead - dead_discarded) FILTER (WHERE held AND dead_unplayable IS NULL) AS dead_left,
    sum(dead_unplayable) FILTER (WHERE held) AS dead_unplayable,
    sum(dead_too_late) FILTER (WHERE held) AS dead_too_late,
    sum(dead - dead_discarded - dead_unplayable - dead_too_late) FILTER (WHERE held) AS dead_not_chosen
  FROM sides
  GROUP BY game, ruleset_id, ruleset, source, clean, players, card, game_id
),
hands AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, card, any_value(card_name) AS card_name,
    any_value(kind) AS kind, seats.deck,
    sum(opening) AS kept, coalesce(sum(opening) FILTER (WHERE sides.won), 0) AS kept_won,
    sum(mulliganed) AS mulliganed, coalesce(sum(mulliganed) FILTER (WHERE sides.won), 0) AS mulliganed_won
  FROM sides
  JOIN (SELECT game_id, ruleset_id, player, coalesce(deck, '') AS deck FROM seats) AS seats
    USING (game_id, ruleset_id, player)
  WHERE told
  GROUP BY game, ruleset_id, ruleset, source, clean, players, card, seats.deck, game_id
),
turns_played AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, card, any_value(card_name) AS card_name,
    any_value(kind) AS kind, least(first_played, 4) AS own_turn,
    count(*) AS sides, count(*) FILTER (WHERE won) AS sides_won
  FROM sides
  WHERE decisive AND first_played IS NOT NULL
  GROUP BY game, ruleset_id, ruleset, source, clean, players, card, least(first_played, 4), game_id
),
measured AS (
  SELECT game, ruleset_id, ruleset, source, clean, players, card, card_name, kind, NULL AS deck, NULL AS own_turn,
    unnest([
      {'measure': 'appeared', 'n': appeared, 'h': 0},
      {'measure': 'seen', 'n': seen, 'h': seen_won},
      {'measure': 'opening', 'n': opening, 'h': opening_won},
      {'measure': 'drawn', 'n': drawn, 'h': drawn_won},
      {'measure': 'in hand', 'n': opening + drawn, 'h': opening_won + drawn_won},
      {'measure': 'unseen', 'n': unseen, 'h': unseen_won},
      {'measure': 'played', 'n': playing, 'h': played},
      {'measure': 'dead', 'n': held, 'h': dead},
      {'measure': 'dead, discarded', 'n': dead_discarded, 'h': 0},
      {'measure': 'dead, left in hand', 'n': dead_left, 'h': 0},
      {'measure': 'dead, never playable', 'n': dead_unplayable, 'h': 0},
      {'measure': 'dead, too late', 'n': dead_too_late, 'h': 0},
      {'measure': 'dead, never chosen', 'n': dead_not_chosen, 'h': 0}
    ], recursive := true)
  FROM of_games
  UNION ALL
  SELECT game, ruleset_id, ruleset, source, clean, players, card, card_name, kind, deck, NULL,
    unnest([
      {'measure': 'kept', 'n': kept, 'h': kept_won},
      {'measure': 'mulliganed', 'n': mulliganed, 'h': mulliganed_won}
    ], recursive := true)
  FROM hands
  UNION ALL
  SELECT game, ruleset_id, ruleset, source, clean, players, card, card_name, kind, NULL, own_turn,
    'first played', sides, sides_won
  FROM turns_played
)
SELECT game, ruleset_id, ruleset, source, clean, players, card, any_value(card_name) AS card_name,
  any_value(kind) AS kind, measure, deck, own_turn,
  count(*) FILTER (WHERE n > 0) AS games, sum(n) AS n, sum(h) AS h,
  sum(h * h) AS hh, sum(h * n) AS hn, sum(n * n) AS nn
FROM measured
WHERE n IS NOT NULL
GROUP BY game, ruleset_id, ruleset, source, clean, players, card, measure, deck, own_turn
