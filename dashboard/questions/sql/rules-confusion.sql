-- Which rules give trouble?
-- group: rules
-- definition: per rule, (decisions that broke it + lines it asks for that nobody wrote + questions and take-backs that
--   name it) / times it was at stake. Only first hand: after something illegal, until it is taken back, neither mistakes
--   nor opportunities count, and what only follows from another mistake does not either (`follow_ups`).
-- share trouble_rate: trouble / opportunities in clumps
-- chart: dots of trouble_rate by rule, with its interval; the parts in words
-- column opportunities: times the rule was at stake
-- column trouble: the four parts together
-- column broken: decisions that broke it
-- column unwritten: lines that it asks for and nobody wrote: forgotten at the table, or in the log
-- column questions: questions that name it
-- column take_backs: take-backs that name it
-- column follow_ups: further findings about it, which count in nothing
-- column unverifiable: times the log cannot tell
-- column games: games in which it was at stake
-- with: rules-counted
SELECT game, ruleset, rule, opportunities, trouble, broken, unwritten, questions, take_backs, unverifiable, follow_ups,
  games, clumps
FROM counted
WHERE trouble > 0
ORDER BY game, ruleset, trouble DESC, opportunities, rule
