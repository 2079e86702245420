import type { Call } from './history-call.ts'
import { isSameValue, type Kind, shownBy } from './history-kinds.ts'
import type { StoredRow } from './history-rows.ts'

/** Where the values of an object come from. */
export type Origin =
  /** Made by the caller, or deleted: it knows nothing of a row. */
  | 'new'
  | 'deleted'
  /** A copy by the caller, of an object that shows its ETag. */
  | 'copy'
  /** Read or written. */
  | 'known'

/** What an object can know of one row. The test sees everything, so it knows this too. */
export interface Knowledge {
  /** Where it was read or written; `undefined` when it never was. */
  readonly place: string | undefined
  readonly origin: Origin
  /** The version that was read, or written whole. */
  readonly base: StoredRow | undefined
  /** The row whose undeclared properties the object takes along when it is written whole. */
  readonly carried: StoredRow | undefined
  /** The row whose undeclared properties a write in doubt took along. */
  readonly maybeCarried: StoredRow | undefined
  /** What was written since, by property. */
  readonly written: ReadonlyMap<string, string | undefined>
  /** Properties whose stored value is in doubt, with every value that may be stored. */
  readonly doubts: ReadonlyMap<string, ReadonlySet<string | undefined>>
  /** The properties that were selected; `undefined` when all were read. */
  readonly selected: ReadonlySet<string> | undefined
  /** Whether the object carries the ETag of a version that it knows completely. */
  readonly isWhole: boolean
  /** A write of another row is in doubt, or deleted that row: the client may have forgotten this one. */
  readonly isVague: boolean
  /** When the base was read or written, in the order of the service. */
  readonly order: number
}

/** Property texts that a write sent. */
export type Sent = ReadonlyMap<string, string | undefined>

/** A write of an object that was stored. */
export interface Confirmed {
  readonly place: string
  readonly row: StoredRow
  readonly sent: Sent
  readonly order: number
  /** The object was read after it was sent. */
  readonly isUnseen: boolean
}

/** A delete of an object that was applied. */
export type Deleted = Pick<Confirmed, 'place' | 'order' | 'isUnseen'>

const NOTHING: Knowledge = {
  place: undefined,
  origin: 'new',
  base: undefined,
  carried: undefined,
  maybeCarried: undefined,
  written: new Map(),
  doubts: new Map(),
  selected: undefined,
  isWhole: false,
  isVague: false,
  order: 0,
}

/** A caller's object, and everything that is known about it from outside. */
export class TrackedObject {
  readonly name: string
  readonly kind: Kind
  readonly entity: object
  knowledge: Knowledge
  /** The properties that the caller set since they were last known. */
  readonly touched: Set<string>
  /** What the writes in flight have sent, by property. */
  readonly inFlight: Map<Call, Sent> = new Map()
  readonly #unseen = new WeakSet<Call>()
  /** The last row that was read in each place: a client may remember it while writes overlap. */
  readonly lastRead: Map<string, StoredRow> = new Map()

  constructor(name: string, kind: Kind, entity: object, knowledge: Knowledge = NOTHING) {
    this.name = name
    this.kind = kind
    this.entity = entity
    this.knowledge = knowledge
    this.touched = new Set()
  }

  /** PartitionKey and RowKey as the object's members say them. */
  get key(): readonly [string, string] {
    const [partitionKey, rowKey] = this.kind.keys
    const members = this.entity as Record<string, string>
    return [members[partitionKey] ?? '', members[rowKey] ?? '']
  }

  /** Nothing of it can change, its ETag included. */
  get isFrozen(): boolean {
    return Object.isFrozen(this.entity)
  }

  /** The ETag that the object shows. */
  get etag(): string | undefined {
    const { etag } = this.kind
    return etag === undefined
      ? undefined
      : (this.entity as Record<string, string | undefined>)[etag]
  }

  /** The caller sets one property. */
  set(property: string, value: unknown): void {
    const column = this.kind.columns.find((each) => each.property === property)
    column?.set(this.entity, value)
    this.touched.add(property)
  }

  /** The object was read, or reloaded. */
  read(
    place: string,
    row: StoredRow,
    selected: ReadonlySet<string> | undefined,
    order: number,
  ): void {
    const isWhole = selected === undefined
    const known = { ...NOTHING, place, origin: 'known', base: row, carried: row } as const
    this.knowledge = { ...known, selected, isWhole, order }
    this.touched.clear()
    this.lastRead.set(place, row)
    for (const call of this.inFlight.keys()) this.#unseen.add(call)
  }

  /** Whether the object was read after a call was sent, so that it does not show what the call stores. */
  isUnseen(call: Call): boolean {
    return this.#unseen.has(call)
  }

  /** The value that the object knows to be stored: `undefined` when it knows that the property is not stored. */
  known(property: string): string | undefined {
    return knownIn(this.knowledge, this.kind, property)
  }

  /** What the writes of this object in flight send to a place. */
  sending(place: string): readonly Sent[] {
    const all = [...this.inFlight].filter(([{ aims }]) =>
      aims.some((aim) => aim.object === this && aim.place === place),
    )
    return all.map(([, sent]) => sent)
  }

  /** Whether a delete of this object is in flight to a place. */
  isBeingDeleted(place: string): boolean {
    return [...this.inFlight.keys()].some(({ aims }) =>
      aims.some((aim) => aim.object === this && aim.place === place && aim.how === 'delete'),
    )
  }

  /** The values that may be stored of a property in a place, besides the known one. */
  possible(property: string, place: string): readonly (string | undefined)[] {
    return [...(this.knowledge.doubts.get(property) ?? []), ...this.sent(property, place)]
  }

  /** What the writes in flight send of a property to a place. */
  sent(property: string, place: string): readonly (string | undefined)[] {
    const sent = this.sending(place).filter((each) => each.has(property))
    return sent.map((each) => each.get(property))
  }

  /** The properties whose stored values are unknown: a write of them is pending or in doubt. */
  doubtful(place: string): ReadonlySet<string> {
    const sending = this.sending(place).flatMap((sent) => [...sent.keys()])
    return new Set([...this.knowledge.doubts.keys(), ...sending])
  }

  /** A write of the whole row was confirmed: what it sent is what is stored. */
  storedWhole(confirmed: Confirmed): void {
    const { place, row, order, isUnseen } = confirmed
    if (isUnseen || this.#isNewer(confirmed)) return
    const known = { ...NOTHING, place, origin: 'known', base: row, carried: row } as const
    this.knowledge = { ...known, isWhole: true, order }
    // The defaults of its class were sent too: one that is shown and not stored was set meanwhile.
    this.#settle(confirmed.sent, (property, text) => isSameValue(text, this.known(property)))
  }

  /**
   * A merge was confirmed.
   *
   * @param isOntoKnown - it was made of the version that the object knew
   */
  merged(confirmed: Confirmed, isOntoKnown: boolean): void {
    const { place, row, sent, order, isUnseen } = confirmed
    if (isUnseen || this.#isNewer(confirmed)) return
    const known = this.#knownAt(place)
    const doubts = without(known.doubts, sent)
    const common = { ...known, place, origin: 'known', doubts, order } as const
    if (isOntoKnown) {
      const selected = known.selected && new Set([...known.selected, ...sent.keys()])
      this.knowledge = { ...common, base: row, carried: row, selected }
    } else {
      const written = new Map([...known.written, ...sent])
      this.knowledge = { ...common, written, isWhole: false }
    }
    this.#settle(sent, (property, text) => this.#isStoredAs(property, text))
  }

  /** A property that was set is what was stored before, so that nothing need be sent. */
  settled(property: string, shown: Sent): void {
    const column = this.kind.columns.find((each) => each.property === property)
    if (column?.text(column.get(this.entity)) === shown.get(property)) this.touched.delete(property)
  }

  /**
   * A write may have been stored, and the client cannot tell.
   *
   * @param sent - what it sent; `undefined` for a delete
   */
  doubt(place: string, sent: Sent | undefined): void {
    if (sent === undefined || place !== this.knowledge.place) {
      this.knowledge = { ...this.knowledge, isVague: true, isWhole: false }
      return
    }
    const doubts = new Map(this.knowledge.doubts)
    for (const [property, text] of sent) {
      const known = this.#hasKnown(property) ? [this.known(property)] : []
      doubts.set(property, new Set([...(doubts.get(property) ?? known), text]))
    }
    const maybeCarried = this.knowledge.maybeCarried ?? this.knowledge.carried
    this.knowledge = { ...this.knowledge, doubts, maybeCarried, isWhole: false }
  }

  /** A rejected write had assigned the defaults of a schema to the object: they count as set. */
  assigned(before: Sent): void {
    const shown = shownBy(this.kind, this.entity)
    for (const { property, fallback } of this.kind.columns) {
      const isGiven = fallback !== undefined && shown.get(property) === fallback
      if (isGiven && before.get(property) === undefined) this.touched.add(property)
    }
  }

  /** A row was deleted by this object. */
  deleted({ place, order, isUnseen }: Deleted): void {
    // It was written since.
    if (place === this.knowledge.place && this.knowledge.order > order) return
    if (place === this.knowledge.place && !isUnseen) {
      const { origin } = this.knowledge
      this.knowledge = {
        ...this.knowledge,
        // A copy still shows the ETag that was copied, and the client knows no more of it than before.
        origin: origin === 'copy' ? 'copy' : 'deleted',
        isWhole: false,
      }
    } else this.knowledge = { ...this.knowledge, isVague: true, isWhole: false }
  }

  /** The object was read, or written whole, after the service did this write. */
  #isNewer({ place, order }: Confirmed): boolean {
    return this.knowledge.place === place && this.knowledge.order > order
  }

  #knownAt(place: string): Knowledge {
    if (this.knowledge.place !== place)
      return { ...NOTHING, maybeCarried: this.lastRead.get(place) }
    const { origin, maybeCarried } = this.knowledge
    return origin === 'known' ? this.knowledge : { ...NOTHING, maybeCarried }
  }

  /** What was sent is known, and what the caller set otherwise meanwhile is not. */
  #settle(sent: Sent, isStored: (property: string, text: string | undefined) => boolean): void {
    const shown = shownBy(this.kind, this.entity)
    for (const property of [...this.touched]) {
      const isSent = sent.has(property) && shown.get(property) === sent.get(property)
      const isKnown =
        !this.knowledge.doubts.has(property) &&
        this.#hasKnown(property) &&
        isStored(property, shown.get(property))
      if (isSent || isKnown) this.touched.delete(property)
    }
    // The caller set these after they were sent, perhaps for another row.
    for (const [property, text] of this.isFrozen ? [] : sent) {
      const is = shown.get(property)
      if (!isSameValue(is, text) && !isStored(property, is)) this.touched.add(property)
    }
  }

  /** A default that is not stored counts as absent. */
  #isStoredAs(property: string, text: string | undefined): boolean {
    const known = this.known(property)
    const column = this.kind.columns.find((each) => each.property === property)
    return isSameValue(text, known) || (known === undefined && text === column?.fallback)
  }

  #hasKnown(property: string): boolean {
    return isReadIn(this.knowledge, property)
  }
}

/** Whether the value of a property was read or written. */
export function isReadIn({ base, written, selected }: Knowledge, property: string): boolean {
  if (written.has(property)) return true
  return base !== undefined && (selected === undefined || selected.has(property))
}

function without(doubts: Knowledge['doubts'], sent: Sent): Knowledge['doubts'] {
  return new Map([...doubts].filter(([property]) => !sent.has(property)))
}

/** The value of a property that is known to be stored. */
export function knownIn(
  { base, written }: Knowledge,
  { columns }: Kind,
  property: string,
): string | undefined {
  if (written.has(property)) return written.get(property)
  const column = columns.find((each) => each.property === property)
  return base && column?.of(base.properties)
}
