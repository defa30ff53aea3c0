-- Tabletape for Tabletop Simulator: what happens with cards becomes lines of a game, and what the rules say is shown.
-- Put it into the Global script (Modding > Scripting > Global), fill in the first lines, Save & Play, and say !begin in
-- the chat when everybody sits. The token is one of a keeper: tabletape service token add table --role keeper

Tabletape = {
  address = "http://localhost:8521",
  token = "tt_…",
  kind = "tabletop",  -- which game it is; `tabletop` takes any cards
  game = "",          -- the id of a game that goes on; empty: !begin begins one
  decks = {},         -- the decks by colours, in a game that has some: { White = "reed-heron" }
  seats = {},         -- who sits where, by colours: { White = "A" }
}

-- What is written, by what happened; change it as your game needs it. Nothing is written for nil.
Tabletape.lines = {
  take = function(player, card) return { type = "cards.drawn", player = player, cards = { card } } end,
  drop = function(player, card, place) return { type = "card.moved", player = player, card = card, to = place } end,
  flip = function(player, card) return { type = "card.used", player = player, card = card, what = "turn up" } end,
  shuffle = function(player) return { type = "deck.shuffled", player = player } end,
  turn = function(player) return { type = "turn.started", player = player } end,
}

local AGAIN = { [0] = true, [429] = true, [502] = true, [503] = true, [504] = true }
local PAUSE = 2  -- seconds until a request is sent again that was not answered
local waiting, busy, count = {}, false, 0
local drawn = {}  -- the cards that have left a deck and lie in no hand yet

-- One request after the other, each until it is answered; with its key it is done once.
local function pump()
  local first = waiting[1]
  if busy or not first then return end
  busy = true
  local headers = {
    ["Authorization"] = "Bearer " .. Tabletape.token, ["Content-Type"] = "application/json",
    ["Idempotency-Key"] = first.key, ["Accept"] = "application/json",
  }
  local address = Tabletape.address .. first.path()
  WebRequest.custom(address, "POST", true, JSON.encode(first.body), headers, function(request)
    busy = false
    if AGAIN[request.response_code or 0] then
      Wait.time(pump, PAUSE)
      return
    end
    table.remove(waiting, 1)
    local answer = JSON.decode(request.text)
    if request.response_code >= 400 then
      broadcastToAll("Tabletape: " .. answer.error, { 1, 0.6, 0.2 })
    else
      first.done(answer)
    end
    pump()
  end)
end

local function send(path, body, done)
  count = count + 1
  table.insert(waiting, { path = path, body = body, done = done, key = os.time() .. "-" .. count .. "-" .. math.random(1e9) })
  pump()
end

local function write(line)
  if not line or #waiting == 0 and Tabletape.game == "" then return end
  send(function() return "/v1/games/" .. Tabletape.game .. "/events" end, line, function(answer)
    for _, found in ipairs(answer.findings) do
      broadcastToAll(found.message .. " (" .. found.rule .. ")", { 1, 0.3, 0.3 })
    end
  end)
end

-- Begin a game of those who sit at the table, and tell its address.
function Tabletape.begin()
  local players = {}
  for number, color in ipairs(getSeatedPlayers()) do
    Tabletape.seats[color] = string.char(64 + number)
    table.insert(players, { name = Player[color].steam_name, deck = Tabletape.decks[color] or "" })
  end
  local began = { game = Tabletape.kind, players = players }
  send(function() return "/v1/games" end, began, function(answer)
    Tabletape.game = answer.game_id
    broadcastToAll("Tabletape: " .. Tabletape.address .. "/watch/" .. answer.game_id, { 0.6, 1, 0.6 })
  end)
end

-- What Tabletop Simulator tells the script -----------------------------------------------------------------------------

function onChat(message)
  if message == "!begin" then Tabletape.begin() end
end

function onObjectLeaveContainer(_, object)
  if object.type == "Card" then drawn[object.guid] = true end
end

function onObjectEnterZone(zone, object)
  local player = zone.type == "Hand" and Tabletape.seats[zone.getValue()]
  if not player or object.type ~= "Card" or not drawn[object.guid] then return end
  drawn[object.guid] = nil
  write(Tabletape.lines.take(player, object.getName()))
end

function onObjectDrop(color, object)
  local player = Tabletape.seats[color]
  if not player or object.type ~= "Card" then return end
  local place = "table"
  for _, zone in ipairs(object.getZones()) do
    if zone.type == "Hand" then return end
    if zone.getName() ~= "" then place = zone.getName() end
  end
  drawn[object.guid] = nil
  write(Tabletape.lines.drop(player, object.getName(), place))
end

function onObjectRotate(object, _, flip, color, _, before)
  local player = Tabletape.seats[color]
  if player and object.type == "Card" and flip ~= before and object.is_face_down then  -- as it lay before
    write(Tabletape.lines.flip(player, object.getName()))
  end
end

function onObjectRandomize(object, color)
  if object.type == "Deck" and Tabletape.seats[color] then write(Tabletape.lines.shuffle(Tabletape.seats[color])) end
end

function onPlayerTurn(player)
  if Tabletape.seats[player.color] then write(Tabletape.lines.turn(Tabletape.seats[player.color])) end
end
