"""Game logs of a hundred lines in several languages, and the formats in which chat programs write them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Final

PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "names": "Ann Ben",
        "cards": "Paper Lamp/Tea, Cake and Rain/Moss Golem/Old Bridge/Fern Witch",
        "join": "{p} joined the table",
        "begin": "{p} wins the coin toss and begins",
        "turn": "It is {p}'s turn",
        "draw": "{p} draws a card",
        "play": "{p} plays {c} from their hand",
        "attack": "{p} attacks {o} with {c}",
        "lose": "{o} loses {n} life",
        "discard": "{p} discards {c}",
        "shuffle": "{p} shuffles their deck",
        "talk": "{p}: nice one",
        "end": "{p} ends their turn",
        "concede": "{o} concedes",
        "win": "{p} wins the game",
    },
    "de": {
        "names": "Anna Jörg",
        "cards": "Feuerball/Alte Brücke/Hexe vom Moor/Steingolem/Nebel und Regen",
        "join": "{p} ist dem Tisch beigetreten",
        "begin": "{p} gewinnt den Münzwurf und beginnt",
        "turn": "{p} ist am Zug",
        "draw": "{p} zieht eine Karte",
        "play": "{p} spielt {c} aus der Hand",
        "attack": "{p} greift {o} mit {c} an",
        "lose": "{o} verliert {n} Leben",
        "discard": "{p} wirft {c} ab",
        "shuffle": "{p} mischt sein Deck",
        "talk": "{p}: gut gespielt",
        "end": "{p} beendet den Zug",
        "concede": "{o} gibt auf",
        "win": "{p} gewinnt die Partie",
    },
    "fr": {
        "names": "Zoé Léo",
        "cards": "Boule de feu/Vieux pont/Sorcière/Golem de pierre/Pluie et vent",
        "join": "{p} a rejoint la table",
        "begin": "{p} gagne le tirage au sort et commence",
        "turn": "C'est au tour de {p}",
        "draw": "{p} pioche une carte",
        "play": "{p} joue {c} depuis sa main",
        "attack": "{p} attaque {o} avec {c}",
        "lose": "{o} perd {n} points de vie",
        "discard": "{p} défausse {c}",
        "shuffle": "{p} mélange son deck",
        "talk": "{p}: bien joué",
        "end": "{p} termine son tour",
        "concede": "{o} abandonne",
        "win": "{p} gagne la partie",
    },
    "es": {
        "names": "Lucía Íñigo",
        "cards": "Bola de fuego/Puente viejo/Bruja/Gólem de piedra/Lluvia y viento",
        "join": "{p} se ha unido a la mesa",
        "begin": "{p} gana el sorteo y empieza",
        "turn": "Es el turno de {p}",
        "draw": "{p} roba una carta",
        "play": "{p} juega {c} desde la mano",
        "attack": "{p} ataca a {o} con {c}",
        "lose": "{o} pierde {n} vidas",
        "discard": "{p} descarta {c}",
        "shuffle": "{p} baraja su mazo",
        "talk": "{p}: bien jugado",
        "end": "{p} termina su turno",
        "concede": "{o} se rinde",
        "win": "{p} gana la partida",
    },
}

TURN: Final = ("turn", "draw", "play", "attack", "lose", "play", "end")
OCCASIONAL: Final = ("talk", "discard", "shuffle")


def names(language: str) -> list[str]:
    """Return the two players, the one who begins and wins first."""
    return PHRASES[language]["names"].split(" ")


def game_lines(language: str) -> list[str]:
    """Return a game in a hundred lines, won by the player who begins."""
    phrases, (first, second) = PHRASES[language], names(language)
    cards = cycle(phrases["cards"].split("/"))

    def line(kind: str, who: str, number: int = 0) -> str:
        other = second if who == first else first
        return phrases[kind].format(p=who, o=other, c=next(cards), n=number % 4 + 1)

    lines = [line("join", first), line("join", second), line("begin", first)]
    turn = 0
    while len(lines) < 98:
        who = (first, second)[turn % 2]
        lines += [line(kind, who, turn) for kind in (*TURN[:-1], OCCASIONAL[turn % 3], TURN[-1])]
        turn += 1
    return [*lines[:98], line("concede", first), line("win", first)]


def turns_of(language: str) -> int:
    """Return how many turns the game has."""
    headings = [PHRASES[language]["turn"].format(p=who) for who in names(language)]
    return sum(line in headings for line in game_lines(language))


def _with_writer(lines: Sequence[str], players: Sequence[str], keeper: str) -> Iterator[tuple[str, str]]:
    """Yield each line with its writer: the program that keeps the log, or the player who talks."""
    for line in lines:
        who = next((name for name in players if line.startswith(f"{name}: ")), "")
        yield (who, line.removeprefix(f"{who}: ")) if who else (keeper, line)


def _by_players(lines: Sequence[str], players: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with its writer: the player who acts, or the first player where a line names none."""
    for line in lines:
        who = next((name for name in players if line.startswith((f"{name} ", f"{name}: "))), "")
        yield (who, line[len(who) :].removeprefix(":").strip()) if who else (players[0], line)


def discord_bot(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """A program keeps the log, with headings, reactions and edited messages."""
    found: list[str] = []
    for number, (who, text) in enumerate(_with_writer(lines, players, "LogBot")):
        found += [f"{who} \u2014 Today at 7:{number // 2:02} PM", text + " (edited)" * (number % 17 == 3)]
        found += ["\U0001f44d 2"] * (number % 20 == 5)
    return found


def whatsapp_bot(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """A program keeps the log: each message has a European date and a time before it, and a notice comes first."""
    found = ["25/05/2026, 18:59 - Messages and calls are end-to-end encrypted."]
    written = enumerate(_with_writer(lines, players, "Table Keeper"))
    return found + [f"25/05/2026, 19:{number // 2:02} - {who}: {text}" for number, (who, text) in written]


def exporter_bot(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """An export with a header, and above each message the date and the writer."""
    found = ["=========", "Guild: Games", "Channel: log", "=========", ""]
    for number, (who, text) in enumerate(_with_writer(lines, players, "LogBot")):
        found += [f"[01-May-26 07:{number // 2:02} PM] {who}", text, ""]
    return found


def telegram(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """All write what they do themselves, below a heading with the date."""
    found: list[str] = []
    for number, (who, text) in enumerate(_by_players(lines, players)):
        found += [f"{who}, [01.05.2026 19:{number // 2:02}]", text, ""]
    return found


def slack(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """All write what they do themselves, several messages below a heading with a 12-hour time."""
    found: list[str] = []
    last = ""
    for number, (who, text) in enumerate(_by_players(lines, players)):
        found += [] if who == last else [f"{who}  7:{number // 2:02} PM"]
        found.append(text)
        last = who
    return found


def whatsapp_us(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """All write what they do themselves, after an American date, some in two lines."""
    found: list[str] = []
    for number, (who, text) in enumerate(_by_players(lines, players)):
        found.append(f"5/25/26, 7:{number // 2:02}\u202fPM - {who}: {text}")
        found += ["so there"] * (number % 40 == 9)
    return found


def whatsapp_ios(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """All write what they do themselves, after an invisible mark."""
    written = enumerate(_by_players(lines, players))
    return [f"\u200e[01.05.26, 19:{number // 2:02}:11] {who}: {text}" for number, (who, text) in written]


def irc(lines: Sequence[str], players: Sequence[str]) -> list[str]:
    """All write what they do themselves, with names in angle brackets."""
    return [f"[19:{number // 2:02}] <{who}> {text}" for number, (who, text) in enumerate(_by_players(lines, players))]


def tabletop_program(lines: Sequence[str], _players: Sequence[str]) -> list[str]:
    """The log of a tabletop program."""
    return [f"[19:{number // 2:02}] {line}" for number, line in enumerate(lines)]


STYLES: Final[Mapping[str, Callable[[Sequence[str], Sequence[str]], list[str]]]] = {
    style.__name__: style
    for style in (
        tabletop_program,
        discord_bot,
        whatsapp_bot,
        exporter_bot,
        telegram,
        slack,
        whatsapp_us,
        whatsapp_ios,
        irc,
    )
}
