-- How often was each rule at stake?
-- group: rules
-- definition: times that a rule applied: kept, broken, or the log cannot tell; beside it the questions and take-backs
--   that name it, counted as in `rules-confusion`. Rules that gave no trouble are here too, so that two versions can be compared.
-- share trouble_rate: trouble / opportunities in clumps
-- chart: table
-- column opportunities: times the rule was at stake
-- column trouble: times broken or left unwritten, questions and take-backs together
-- column unwritten: lines that it asks for and nobody wrote: forgotten at the table, or in the log
-- column unverifiable: times the log cannot tell
-- column follow_ups: further findings about it, which count in nothing
-- column games: games in which it was at stake
-- with: rules-counted
SELECT game, ruleset, rule, opportunities, trouble, kept, broken, unwritten, questions, take_backs, unverifiable, follow_ups,
  games, clumps
FROM counted
ORDER BY game, ruleset, rule
