// Messages of the game and of auctions, with what JSON leaves out (zeros, empty texts) put in again.

const moment = (text) => (text ? Date.parse(text) : 0);

/** Reads a GameView. */
export function readGame(view) {
  return {
    gameId: view.gameId ?? "",
    version: Number(view.version ?? 0),
    status: view.status ?? "GAME_STATUS_OPEN",
    title: view.title || view.ruleset?.title || view.ruleset?.id || "",
    board: readBoard(view.board ?? {}),
    hotel: hotelLevel(view.ruleset?.options ?? []),
    seats: (view.seats ?? []).map(readSeat),
    lots: new Map((view.lots ?? []).map((lot) => [lot.lot ?? 0, readLot(lot)])),
    debts: (view.debts ?? []).map((debt) => ({
      debtor: debt.debtor ?? 0,
      creditor: debt.creditor ?? 0,
      amount: BigInt(debt.amount ?? 0),
    })),
    offers: view.offers ?? [],
    round: view.round ?? 0,
    ranking: view.ranking ?? [],
    scores: (view.scores ?? []).map(BigInt),
    situation: readSituation(view.situation ?? {}),
  };
}

function hotelLevel(options) {
  const houses = options.find((option) => option.name === "build.houses_before_hotel");
  return houses ? Number(houses.number ?? 0) + 1 : 5;
}

function readBoard(board) {
  const groups = (board.groups ?? []).map((group) => group.name ?? "");
  return {
    title: board.title ?? "",
    currency: { unit: board.currency?.unit ?? "", scale: Number(board.currency?.scale ?? 1) },
    squares: (board.squares ?? []).map((square) => ({
      name: square.name ?? "",
      group: square.group === undefined ? "" : (groups[square.group] ?? ""),
    })),
    decks: (board.decks ?? []).map((deck) => (deck.cards ?? []).map((card) => card.text ?? "")),
  };
}

function readSeat(seat) {
  return {
    seat: seat.seat ?? 0,
    name: seat.name ?? "",
    cash: BigInt(seat.cash ?? 0),
    held: BigInt(seat.held ?? 0),
    hidden: seat.cashHidden ?? false,
    at: seat.at ?? 0,
    jailed: seat.jailed ?? false,
    out: seat.out ?? false,
  };
}

function readLot(lot) {
  return {
    owner: lot.owner ?? 0,
    level: lot.level ?? 0,
    rentLevel: lot.rentLevel ?? 0,
    mortgaged: lot.mortgaged ?? false,
    frozen: lot.frozen ?? false,
  };
}

/** Reads a Situation: what the game waits for, and all running auctions. */
export function readSituation(situation) {
  const auctions = situation.auctions ?? (situation.auction ? [situation.auction] : []);
  return {
    phase: situation.phase ?? "",
    turn: situation.turn ?? 0,
    waiting: situation.waitingSeats ?? [],
    auctions: auctions.map(readAuctionView),
  };
}

function readAuctionView(auction) {
  const terms = readTerms(auction.terms ?? auction);
  const bidders = auction.bidders ?? [];
  return {
    auction: auction.auction ?? 0,
    lot: auction.lot ?? 0,
    building: Boolean(auction.building),
    leader: auction.leader ?? 0,
    price: BigInt(auction.price ?? 0),
    least: BigInt(auction.nextMinimum ?? 0),
    bidders,
    passed: terms.bidders.filter((seat) => !bidders.includes(seat)),
    sealed: auction.sealedSeats ?? [],
    closeMs: moment(auction.closeTime),
    calls: auction.calls ?? 0,
    extensions: auction.extensions ?? 0,
    turnSeat: auction.turnSeat ?? 0,
    paused: !auction.closeTime,
    ownBid: BigInt(auction.ownBid ?? 0),
    ownCeiling: BigInt(auction.ownCeiling ?? 0),
    terms,
  };
}

/** Reads an Auction of AuctionService, as what a Situation has of one. */
export function readAuction(auction) {
  const read = readAuctionView({ ...auction, nextMinimum: auction.leastBid });
  return {
    ...read,
    passed: auction.passed ?? [],
    paused: auction.paused ?? false,
  };
}

/** Reads the terms an auction was opened on. */
export function readTerms(terms) {
  return {
    mode: terms.mode ?? 0,
    minimum: BigInt(terms.minimum ?? 0),
    increment: BigInt(terms.increment ?? 0),
    fixedStep: terms.fixedStep ?? false,
    closeMs: Number(terms.closeMs ?? 0),
    fee: BigInt(terms.fee ?? 0),
    proxies: terms.proxies ?? false,
    label: terms.label ?? "",
    bidders: terms.bidders ?? [],
    dutchStart: BigInt(terms.dutchStart ?? 0),
    dutchStep: BigInt(terms.dutchStep ?? 0),
    dutchTickMs: Number(terms.dutchTickMs ?? 0),
  };
}

/** Reads a Standing: clocks, who is there, what time each seat has. */
export function readStanding(standing) {
  return {
    at: moment(standing.serverTime),
    clocks: (standing.clocks ?? []).map((clock) => ({
      kind: clock.kind ?? "",
      seat: clock.seat ?? 0,
      stands: clock.stands ?? false,
      remainingMs: Number(clock.remainingMs ?? 0),
      budgetMs: Number(clock.budgetMs ?? 0),
    })),
    seats: new Map(
      (standing.seats ?? []).map((seat) => [
        seat.seat ?? 0,
        {
          presence: seat.presence ?? "PRESENCE_UNKNOWN",
          sinceMs: moment(seat.sinceTime),
          reserveMs: Number(seat.reserveMs ?? 0),
          allowanceMs: Number(seat.allowanceMs ?? 0),
          standIn: seat.standIn ?? false,
        },
      ]),
    ),
  };
}

/** The price of a falling auction that has so long still to run; null, as in a pause: what the server has said. */
export function dutchPrice({ least, terms }, leftMs) {
  if (leftMs === null) return least;
  const ticks = BigInt(Math.max(0, Math.floor((terms.closeMs - leftMs) / Math.max(1, terms.dutchTickMs))));
  const price = terms.dutchStart - terms.dutchStep * ticks;
  return price > terms.minimum ? price : terms.minimum;
}
