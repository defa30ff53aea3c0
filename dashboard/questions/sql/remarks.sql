-- What did people say?
-- group: games
-- definition: every question, note, marked moment, word and answer about a game as it stands, with the event that it is
--   about, the card in it, the rule that it names, and the rule that the audit found broken there.
-- personal: text, who
-- chart: table
-- column game_id: the played match
-- column began: when the game began, by the clock of its table
-- column seq: number of the remark in its game
-- column what: question, note, mistake (a note that a line is against the rules), moment or feedback
-- column who: who said it; none where the log does not say
-- column felt: of a moment: good, bad, confused or surprised
-- column on: number of the event that it is about; none for the whole game
-- column broken: the rule that the audit found broken by that event
WITH said AS (
  SELECT *
  FROM remarks
  WHERE ($game_id IS NULL OR game_id = $game_id)
    AND ($game IS NULL OR game = $game)
    AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
    AND ($source IS NULL OR source = $source)
    AND (clean OR NOT $clean)
)
SELECT said.game, said.ruleset, said.game_id, began, seq, what, seats.name AS who, felt, said.on, turn, type, card, rule, broken, text
FROM said
JOIN (SELECT game_id, ruleset_id, began FROM games) USING (game_id, ruleset_id)
LEFT JOIN seats USING (game, game_id, ruleset_id, player)
ORDER BY said.game, said.ruleset, said.game_id, seq
