import { AsyncLocalStorage } from 'node:async_hooks'
import {
  AbortError,
  type AttemptLimits,
  type HttpRequest,
  type HttpResponse,
  TransportError,
} from '@rowkey/rest'
import { type Aim, aimInTurn, isWhole } from './history-aim.ts'
import type { Call } from './history-call.ts'
import {
  BrokenRule,
  broken,
  checkDone,
  checkRejected,
  checkStored,
  nameOf,
} from './history-checks.ts'
import { checkPlanned } from './history-keeper.ts'
import { type Delivery, placeOf, type ServiceLog } from './history-log.ts'
import type { Sent, TrackedObject } from './history-object.ts'
import { changesIn, type SentChange, type StoredRow } from './history-rows.ts'
import type { Services } from './history-services.ts'
import type { Ending } from './history-steps.ts'
import type { Tally } from './history-tally.ts'

/** The change of a call that sent nothing. */
const UNSENT: SentChange = {
  kind: 'merge',
  table: '',
  partitionKey: '',
  rowKey: '',
  condition: undefined,
  properties: new Map(),
}

/** Receives a history as a program, line by line. */
export type Say = (line: string) => void

/** Begins the calls of one history, holds requests back, and checks the outcomes. */
export class CallRunner {
  readonly #services: Services
  readonly #scene: string
  readonly #tally: Tally
  readonly #say: Say
  readonly #held: Call[] = []
  /** The calls that wait for earlier writes of their objects. */
  readonly #queued: Call[] = []
  /** Which call makes a request. */
  readonly #making = new AsyncLocalStorage<Call>()
  /** Which call a request that is handed to a service is part of. */
  readonly #delivering = new AsyncLocalStorage<Call>()
  #broken: unknown
  #order = 0

  constructor(services: Services, scene: string, tally: Tally, say: Say) {
    this.#services = services
    this.#scene = scene
    this.#tally = tally
    this.#say = say
    services.send = (log, request, limits) => this.#send(log, request, limits)
    for (const log of services.logs) log.onDelivery = (delivery) => this.#onDelivery(log, delivery)
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#held.length + this.#queued.length
  }

  /** Whether a write of an object has not ended. */
  isWriting(object: TrackedObject): boolean {
    return writesOf(object).length > 0
  }

  /** The place of the next event in the order of the service. */
  next(): number {
    return ++this.#order
  }

  /** The first rule that is broken ends the history. */
  report(error: unknown): void {
    this.#broken ??= error
  }

  /** Throws what was reported. */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken
  }

  /** Ends a history: what follows calls in it is not followed any more: it would slow down every promise of the process. */
  close(): void {
    this.#making.disable()
    this.#delivering.disable()
  }

  /** Begins a call, and waits until it has ended, its request waits, or it waits for earlier writes of its objects. */
  async run(call: Call, begin: () => Promise<unknown>): Promise<void> {
    if (call.isLate) call.pending = earlierOf(call)
    else this.#queue(call)
    call.ended = this.#making
      .run(call, () => started(begin))
      .then(
        () => this.#resolved(call),
        (error: unknown) => this.#rejected(call, error),
      )
    await this.#wait(call)
  }

  /** Lets a call wait for the earlier ones of its objects. */
  #queue(call: Call): void {
    call.earlier = [...new Set([...call.pending, ...earlierOf(call)])]
    if (call.earlier.length > 0) planned(call)
  }

  async #wait(call: Call): Promise<void> {
    const isQueued = call.earlier.some(({ isOver }) => !isOver)
    if (!isQueued) await Promise.race([call.ended, call.isHeld])
    else await new Promise((resolve) => setImmediate(resolve)) // it may be rejected before its turn
    if (call.isOver) return
    if (isQueued) this.#queued.push(call)
    else this.#held.push(call)
  }

  /** Waits for the calls whose turn has come. */
  async #resume(): Promise<void> {
    for (;;) {
      const at = this.#queued.findIndex(({ earlier }) => earlier.every(({ isOver }) => isOver))
      const [next] = at < 0 ? [] : this.#queued.splice(at, 1)
      if (next === undefined) return
      await this.#wait(next)
    }
  }

  /** Decides about a request that waits; `false` when none does. */
  async settle(which: number, ending: Ending): Promise<boolean> {
    const call = this.#held[which % Math.max(1, this.#held.length)]
    if (call === undefined) return false
    if (call.submit !== undefined) return this.#submit(call)
    const { held } = call
    if (held === undefined) return false
    this.#say(`  // the request of "${call.about}" is ${ending}`)
    if (ending === 'applied') await held.apply()
    else {
      this.#held.splice(this.#held.indexOf(call), 1)
      await end(call, ending)
      await call.ended
      await this.#resume()
    }
    // An aborted request may still arrive.
    if (ending === 'aborted' && which === 2) await held.apply()
    return true
  }

  /** Submits a batch that was made before. */
  async #submit(call: Call): Promise<boolean> {
    this.#say(`  // the batch of "${call.about}" is submitted`)
    this.#held.splice(this.#held.indexOf(call), 1)
    this.#queue(call)
    call.submit?.()
    await this.#wait(call)
    await this.#resume()
    return true
  }

  /** Sends a request to a service, or holds it back. */
  async #send(
    log: ServiceLog,
    request: HttpRequest,
    limits: AttemptLimits | undefined,
  ): Promise<HttpResponse> {
    const call = this.#making.getStore()
    const changes = changesIn(request)
    if (call === undefined) return log.deliver(request, limits, undefined)
    await this.#come(call)
    this.#note(call, log, changes)
    if (!call.holds) {
      if (changes.length === 0) call.onRead()
      const fault = changes.length === 0 ? undefined : call.fault
      if (changes.length > 0) call.fault = undefined
      return this.#deliver(call, log, request, limits, fault)
    }
    call.holds = false
    if (changes.length === 0) planned(call)
    return new Promise((answer, fail) => {
      let applied: Promise<HttpResponse> | undefined
      const apply = () => {
        if (changes.length === 0 && applied === undefined) call.onRead()
        applied ??= this.#deliver(call, log, request, undefined, undefined)
        return applied
      }
      limits?.signal?.addEventListener('abort', () => {
        fail(new AbortError({ reason: limits.signal?.reason, mayHaveApplied: true }))
      })
      call.hold({ apply, answer, fail, isApplied: () => applied !== undefined })
    })
  }

  /** Lets a call have its turn: it knows what its objects know by now. */
  async #come(call: Call): Promise<void> {
    if (call.earlier.length === 0) return
    if (call.earlier.some((other) => this.#held.includes(other)))
      this.report(new BrokenRule('lost update', call.about, `"${call.about}" did not wait`))
    await Promise.all(call.earlier.map(({ ended }) => ended))
    const stored = call.earlier.flatMap((earlier) => earlier.stored)
    call.earlier = []
    call.aims = call.aims.map((aim) => {
      const isLeft = stored.some(({ place }) => place === aim.place)
      return aimInTurn(aim, call, { row: this.#services.row(aim.place), isLeft })
    })
  }

  /** Notes what a call sends of each object. */
  #note(call: Call, log: ServiceLog, changes: readonly SentChange[]): void {
    if (changes.length > 0) call.isSent = true
    if (call.aimAt !== undefined && changes.length > 0) {
      const aims = changes.map((change) => call.aimAt?.(change))
      call.aims.splice(0, call.aims.length, ...aims.filter((aim) => aim !== undefined))
    }
    for (const change of changes) {
      const aim = aimIn(call, log, change)
      if (aim !== undefined) aim.object.inFlight.set(call, sentOf(aim, change))
      else this.report(wrongRow(call, log, change))
    }
  }

  async #deliver(
    call: Call,
    log: ServiceLog,
    request: HttpRequest,
    limits: AttemptLimits | undefined,
    fault: Call['fault'],
  ): Promise<HttpResponse> {
    return this.#delivering.run(call, () => log.deliver(request, limits, fault))
  }

  #onDelivery(log: ServiceLog, { changes, before, stored }: Delivery): void {
    const call = this.#delivering.getStore()
    if (call === undefined) return
    changes.forEach((change, index) => {
      const place = placeOf(log.account, change.table, [change.partitionKey, change.rowKey])
      call.sights.push({ place, row: before[index], condition: change.condition })
    })
    for (const each of stored) {
      call.stored.push({ ...each, order: this.next() })
      this.#say(`  // ${each.place} is ${[...(each.after?.properties ?? ['deleted'])].join(', ')}`)
      const aim = aimIn(call, log, each.change)
      if (aim === undefined) continue
      this.watch(() => checkStored(aim, each))
      this.watch(() => checkPlanned(aim, each))
    }
  }

  #resolved(call: Call): void {
    call.isOver = true
    const unsent = call.aims.length === 0 ? call.aimAt?.(UNSENT) : undefined
    if (unsent !== undefined) call.aims.push(unsent)
    if (call.stored.length === 0) this.#say(`  // "${call.about}" resolved, and stored nothing`)
    else this.#say(`  // "${call.about}" resolved`)
    for (const aim of call.aims) {
      const sent = aim.object.inFlight.get(call) ?? new Map()
      aim.object.inFlight.delete(call)
      const stored = call.stored.filter(({ place }) => place === aim.place)
      const now = this.#services.row(aim.place)
      this.watch(() => checkDone(aim, stored, now, call.isQuiet))
      learn(call, aim, sent, now && { row: now, order: this.next() })
    }
    this.#tally.ended(this.#scene, call, undefined)
  }

  #rejected(call: Call, error: unknown): void {
    call.isOver = true
    this.#say(`  // "${call.about}" rejected: ${nameOf(error)}`)
    this.watch(() => checkRejected({ ...call, about: call.about, error }))
    for (const aim of call.aims) {
      const sent = aim.object.inFlight.get(call) ?? new Map()
      aim.object.inFlight.delete(call)
      aim.object.assigned(aim.shown)
      if (call.isSent && mayHaveApplied(error))
        aim.object.doubt(aim.place, aim.how === 'delete' ? undefined : sent)
      const isUntouched = !call.isSent && call.held === undefined
      const isUnprovoked = call.isQuiet || (isUntouched && !(error instanceof AbortError))
      if (aim.isSafe && call.aims.length === 1 && isUnprovoked) {
        this.report(broken('overcautious', aim, `it is safe, and was rejected: ${String(error)}`))
      }
    }
    this.#tally.ended(this.#scene, call, error)
  }

  /** Reports the rule that a check finds broken. */
  watch(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.report(error)
    }
  }
}

/** The calls that write an object and have not ended, and are not still made. */
function writesOf({ inFlight }: TrackedObject): Call[] {
  return [...inFlight.keys()].filter(({ isOver, submit }) => !isOver && submit === undefined)
}

/** The calls that write the objects of a call and have not ended. */
function earlierOf(call: Call): readonly Call[] {
  return call.objects.flatMap(writesOf).filter((other) => other !== call)
}

/** Turns what a call throws at once into a rejection. */
async function started(begin: () => Promise<unknown>): Promise<unknown> {
  return begin()
}

async function end({ held, controller }: Call, ending: Ending): Promise<void> {
  if (held === undefined) return
  if (ending === 'aborted') return controller.abort(new Error('the caller gave up'))
  if (ending === 'answered') return held.answer(await held.apply())
  if (ending === 'lost') await held.apply()
  const isUnsent = ending === 'unsent' && !held.isApplied()
  held.fail(new TransportError({ message: `it was ${ending}`, mayHaveApplied: !isUnsent }))
}

function aimIn(call: Call, log: ServiceLog, change: SentChange): Aim | undefined {
  const place = placeOf(log.account, change.table, [change.partitionKey, change.rowKey])
  return call.aims.find((aim) => aim.place === place)
}

function wrongRow(call: Call, log: ServiceLog, change: SentChange): BrokenRule {
  const place = placeOf(log.account, change.table, [change.partitionKey, change.rowKey])
  const meant = call.aims.map((aim) => aim.place).join(', ')
  const message = `"${call.about}" is about ${meant}, and sent a ${change.kind} of ${place}`
  return new BrokenRule('wrong row', call.about, message)
}

/** A write that reads first is pending from its call on, and may send all that it is allowed to. */
function planned(call: Call): void {
  for (const { object, how, shown, maySend } of call.aims) {
    const properties = how === 'delete' ? [] : how === 'merge' ? maySend : shown.keys()
    object.inFlight.set(call, new Map([...properties].map((name) => [name, shown.get(name)])))
  }
}

/** What a change sends, by property, in the words of its object. */
function sentOf({ kind, shown }: Aim, { kind: sort, properties }: SentChange): Sent {
  if (sort === 'delete') return new Map()
  const isMerge = sort === 'merge'
  const sent = kind.columns.filter(
    ({ names }) => !isMerge || names.some((name) => properties.has(name)),
  )
  // What a schema has a default for is sent with it.
  return new Map(
    sent.map(({ property, names, fallback }) => [
      property,
      shown.get(property) ?? (names.some((name) => properties.has(name)) ? fallback : undefined),
    ]),
  )
}

/** Updates what an object knows after a write that resolved. */
function learn(
  call: Call,
  aim: Aim,
  sent: Sent,
  now: { readonly row: StoredRow; readonly order: number } | undefined,
): void {
  const { object, place, how, knowledge, mode, isBound } = aim
  const isUnseen = object.isUnseen(call)
  const stored = call.lastStored(place)
  if (how === 'delete') {
    const order = stored?.order ?? Number.POSITIVE_INFINITY
    object.deleted({ place, order, isUnseen })
  } else if (how === 'insert' && stored === undefined && now !== undefined) {
    object.storedWhole({ ...now, place, sent, isUnseen })
  } else if (stored?.after === undefined) {
    // Nothing was sent: what was set is what is stored.
    for (const property of aim.touched)
      if (!aim.must.has(property)) object.settled(property, aim.shown)
  } else {
    const { order, before, after: row, change } = stored
    const confirmed = { place, row, sent, order, isUnseen }
    const isOnto = mode === 'own' && isBound && before === knowledge.base
    if (isWhole(how) && change.kind !== 'merge') object.storedWhole(confirmed)
    else object.merged(confirmed, isOnto && knowledge.written.size === 0)
  }
}

function mayHaveApplied(error: unknown): boolean {
  return (Object(error) as { mayHaveApplied?: unknown }).mayHaveApplied === true
}
