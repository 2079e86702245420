import type { Account, JournalFile } from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { type Act, besides, done, type Scene } from './axes/besides.ts'
import { conditions } from './axes/conditions.ts'
import { type Guarantee, guarantees } from './axes/guarantees.ts'
import { type AnyTable, type Model, models, withUntouched } from './axes/models.ts'
import type { RunningService } from './axes/services.ts'
import { type Trouble, type TroubledCall, troubles } from './axes/troubles.ts'
import { type Write, writes } from './axes/writes.ts'
import { CellJournal } from './journal.ts'
import type { Meeting } from './meeting.ts'
import { contradictions, type Effect, nameOf, type Said, type Step, wasApplied } from './oracle.ts'
import { at, BYSTANDER, type Program, TARGET, TARGET_KEY } from './program.ts'
import { ACCOUNTS, type AccountName, BEGINNING, PARTITION } from './raw-rows.ts'
import { isRefusal } from './refusals.ts'
import { isMistake, saidOf } from './said.ts'
import { type Stored, storedRows } from './stored.ts'
import type { Wire } from './wire.ts'

/** Longer than any call of a cell may take, in milliseconds of virtual time. */
const LONGEST = 3_600_000

/** Longer than a bulk write waits before it sends what it has, and shorter than a disk takes to fail. */
const INPUT_PAUSE = 12

/** With these, a call gets its response, sooner or later. */
const REACHABLE: readonly string[] = ['none', 'late duplicate', 'throttled', 'pages of one row']

/** With these, a response is lost. */
const LOSING: readonly string[] = ['lost answer', 'late attempt', 'error of a proxy']

/** What was found in a cell. */
export interface Findings {
  /** One sentence for each contradiction. */
  readonly found: readonly string[]
  /** The error of a call that the API rejected as a mistake. */
  readonly mistake: Error | undefined
  /** How many requests of the call could have changed something. */
  readonly sent: number
}

/**
 * Plays the history of a cell, and compares each step with what was said.
 *
 * @param meeting - the values that meet
 * @param service - the service of the cell, which other cells use too
 */
export async function play(meeting: Meeting, service: RunningService): Promise<Findings> {
  const history = new History(meeting, service)
  try {
    return await history.play()
  } finally {
    await history.end()
  }
}

/** An account as a program opens it, and its connection. */
type Opened = ReturnType<RunningService['open']>

/** A call, and what it said of each effect. */
interface Call {
  readonly effects: readonly Effect[]
  readonly said: readonly Said[]
  /** What was stored before it changed anything, and afterwards. */
  readonly before: Stored
  readonly after: Stored
  readonly hasDied: boolean
}

/** A call after all that it sent has arrived. */
interface EarlierCall extends Call {
  /** Whether each effect was applied after the call had ended. */
  readonly late: readonly boolean[]
}

class History {
  readonly #service: RunningService
  readonly #model: Model
  readonly #write: Write
  readonly #guarantee: Guarantee
  readonly #trouble: Trouble
  readonly #meeting: Meeting
  readonly #names: { readonly people: string; readonly copy: string }
  readonly #journal: CellJournal
  readonly #found: string[] = []
  #stored: Stored = new Map()
  #mistake: Error | undefined
  #sent = 0
  /** The ETag of the target before another program changed it. */
  #earlier = ''
  /** The option `etag` of the first call. */
  #etag: string | undefined

  constructor(meeting: Meeting, service: RunningService) {
    this.#meeting = meeting
    this.#service = service
    this.#model = models[meeting.model]
    this.#write = writes[meeting.write]
    this.#guarantee = guarantees[meeting.guarantee]
    this.#trouble = troubles[meeting.trouble]
    this.#names = { people: service.newTableName(), copy: service.newTableName() }
    this.#journal = new CellJournal(service)
  }

  async play(): Promise<Findings> {
    await this.#in(this.#begin())
    const opened = this.#service.open()
    const program = await this.#in(this.#program(opened))
    const call = await this.#call(program, opened)
    await this.#beside('after')
    if (this.#mistake === undefined) {
      const late = await this.#later(opened, call)
      await this.#again(opened, { ...call, late })
    }
    await this.#in(this.#readable())
    return { found: this.#found, mistake: this.#mistake, sent: this.#sent }
  }

  /** Removes what the cell leaves outside of the service. */
  async end(): Promise<void> {
    await this.#journal.end()
  }

  /** Stores the first rows, as programs did long ago. */
  async #begin(): Promise<void> {
    for (const name of ACCOUNTS) await this.#foundIn(name)
    if (this.#meeting.condition === 'stale ETag') {
      this.#earlier = (await this.#observed()).get(at(TARGET))?.etag ?? ''
      const founder = this.#founder.open(this.#service.open().account, this.#names.people)
      const target = await founder.get(TARGET_KEY)
      if (target instanceof DynamicEntity) target.set('note', 'touched')
      else Object.assign(target, { note: 'touched' })
      await founder.merge(target)
    }
    this.#stored = await this.#observed()
  }

  get #founder(): Model {
    const { founder } = this.#model
    if (founder === undefined || this.#meeting.beside === 'an old program') return this.#model
    return models[founder]
  }

  async #foundIn(name: AccountName): Promise<void> {
    const { account } = this.#service.open(name)
    const founder = this.#founder
    const people = founder.open(account, this.#names.people)
    await people.create()
    await account.table(this.#names.copy).create()
    for (const rowKey of [TARGET, BYSTANDER]) {
      await people.insert(withUntouched(founder.make(rowKey, 'Ann'), founder))
      if (founder.isClosed) continue
      const extra = { extra: EntityProperty.guid('c9da6455-213d-42c9-9a79-3e9149a57833') }
      const rows = account.table(this.#names.people)
      await rows.merge(new DynamicEntity(PARTITION, rowKey, extra), { etag: '*' })
    }
  }

  /** Opens the tables as a program does, and reads what its write needs. */
  async #program({ account, wire }: Opened, etag?: string): Promise<Program> {
    const { people: name, copy } = this.#names
    const table = this.#model.open(account, name)
    const isSecond = this.#meeting.beside === 'a second account'
    const copiesIn = ACCOUNTS[isSecond ? 1 : 0]
    const copiesAccount = isSecond ? this.#service.open(copiesIn).account : account
    return {
      ...{ account, wire, table, name, copiesIn, etag },
      model: this.#model,
      copies: copiesAccount.table(copy) as unknown as AnyTable,
      target: this.#write.needsTarget ? await table.find(TARGET_KEY) : undefined,
      read: this.#stored,
      isRepeatable: this.#guarantee.hasJournal === true,
      input: (operations) => (this.#guarantee.hasJournal ? this.#paced(operations) : operations),
    }
  }

  /** Makes the call in its trouble. */
  async #call(read: Program, { account, wire }: Opened): Promise<Call> {
    if (this.#write.readsInside) wire.beforeWrite = () => this.#beside('before')
    else await this.#beside('before')
    this.#etag = this.#etagNow()
    const program = this.#withInput({ ...read, etag: this.#etag })
    const options = this.#options(program, await this.#journal.file())
    const send = (further: object) => this.#send(program, { ...options, ...further })
    if (this.#trouble.tornAppend !== undefined) this.#journal.tear(this.#trouble.tornAppend)
    const troubled: TroubledCall = {
      ...{ account, wire, name: this.#names.people },
      guarantee: this.#guarantee,
      send,
    }
    const further = await this.#in(Promise.resolve(this.#trouble.begin?.(troubled) ?? {}))
    const begin = this.#service.time.now()
    const already = wire.writes
    const effects = this.#write.effects(program)
    const said = await this.#saidBy(effects, send(further), wire)
    // What was sent when the call ended, by a death or an abort, arrives before anyone looks.
    await this.#service.traffic.quiet()
    this.#sent = wire.writes - already
    const { kills, stuck } = this.#trouble
    const hasDied = said === 'died' || kills === true || stuck === 'close'
    const step = {
      what: 'the call',
      effects,
      said: said === 'died' ? effects.map((): Said => ({ how: 'in doubt', error: 'kill' })) : said,
      isAtomic: this.#write.isAtomic === true,
    }
    this.#checkTime(begin)
    wire.delay = 0
    wire.disturbance = undefined
    if (said !== 'died') this.#checkPromise(step)
    const before = this.#stored
    await this.#observe(step)
    return { effects, said: step.said, before, after: this.#stored, hasDied }
  }

  /** Delivers what is late, and tells which effects it applies. */
  async #later({ account, wire }: Opened, call: Call): Promise<readonly boolean[]> {
    const { later } = this.#trouble
    if (later === undefined) return []
    const name = this.#names.people
    const send = async () => {}
    await this.#in(later({ account, wire, name, guarantee: this.#guarantee, send }))
    const effects = this.#guarantee.isExact ? [] : call.effects
    const said = effects.map(({ place, holds }): Said => {
      const error = 'late'
      return holds(this.#stored.get(place))
        ? { how: 'in doubt', error }
        : { how: 'not applied', error }
    })
    const before = this.#stored
    await this.#observe({ what: 'a late request', effects, said })
    return call.effects.map((effect) => wasApplied(before, this.#stored, effect))
  }

  /** Makes the call again, as a program does that was killed, or that repeats a call by its key or journal. */
  async #again(opened: Opened, earlier: EarlierCall): Promise<void> {
    if (!earlier.hasDied && !this.#guarantee.repeats) return
    if (earlier.hasDied) {
      await this.#journal.release()
      await this.#in(this.#service.traffic.during(() => this.#service.restart()))
      await this.#observe({ what: 'a restart', effects: [], said: [] })
    }
    const { account, wire } = earlier.hasDied ? this.#service.open() : opened
    const etag = this.#guarantee.hasJournal ? this.#etag : this.#etagNow()
    const program = await this.#in(this.#program({ account, wire }, etag))
    if (this.#write.needsTarget && program.target === undefined && !program.isRepeatable) return
    const options = this.#options(program, await this.#journal.file())
    const effects = this.#write.effects(program)
    const said = await this.#saidBy(effects, this.#send(program, options), wire)
    if (said === 'died') return
    if (this.#guarantee.isExact)
      this.#checkPromise({ what: 'the same call again', effects, said }, 'none')
    await this.#observe(
      this.#repeated(earlier, {
        what: 'the same call again',
        effects,
        said,
        isAtomic: this.#write.isAtomic === true,
      }),
    )
  }

  /** What a repetition may change: nothing that the first call did, where it promises so. */
  #repeated(earlier: EarlierCall, step: Step): Step {
    const { isExact, repeats } = this.#guarantee
    const isCertain = isExact || (!earlier.hasDied && this.#meeting.trouble === 'none')
    const left: { effects: Effect[]; said: Said[] } = { effects: [], said: [] }
    step.effects.forEach((effect, index) => {
      const said = step.said[index] as Said
      const first = earlier.said[index]
      const isDone =
        first?.how === 'done' ||
        wasApplied(earlier.before, earlier.after, effect) ||
        earlier.late[index] === true
      if (!repeats || !isDone) {
        left.effects.push(effect)
        left.said.push(said)
      } else if (isCertain) {
        if (said.how === 'done' || isRecalled(said)) return
        this.#found.push(`${step.what}: ${effect.place} was done before, and it ${describe(said)}`)
      } else {
        left.effects.push(effect)
        left.said.push({ how: 'in doubt', error: 'a repetition without exact writes' })
      }
    })
    return { ...step, ...left }
  }

  /** The options of a call. A write that has no condition gets its ETag here, and rejects it. */
  #options({ etag }: Program, journal: JournalFile): object {
    const isExtra = this.#write.hasCondition !== true && etag !== undefined
    return { ...(isExtra && { etag }), ...this.#guarantee.options(journal) }
  }

  #send(program: Program, options: object): Promise<unknown> {
    return (async () => this.#write.send(program, options))()
  }

  /** Waits for a call, and reads what it says of each effect. */
  async #saidBy(
    effects: readonly Effect[],
    call: Promise<unknown>,
    wire: Wire,
  ): Promise<readonly Said[] | 'died'> {
    const all = (said: Said): readonly Said[] => effects.map(() => said)
    let said: readonly Said[]
    try {
      const result = await this.#in(Promise.race([call, wire.died]))
      if (result === 'died') return 'died'
      said = isSaid(result) ? result : all({ how: 'done' })
    } catch (error) {
      try {
        said = all(saidOf(error))
      } catch {
        this.#found.push(`the call threw what says nothing of it: ${nameOf(error)}`)
        return all({ how: 'in doubt', error })
      }
    }
    for (const each of said) {
      if (!('error' in each) || !isMistake(each.error)) continue
      this.#mistake ??= each.error
      if (!isRefusal(this.#meeting, each.error)) {
        this.#found.push(`the call ${describe(each)}, although the API takes it`)
      }
    }
    return said
  }

  /** Compares what a call said with what it promises. */
  #checkPromise({ what, said }: Step, trouble = this.#meeting.trouble): void {
    const isReachable = REACHABLE.includes(trouble)
    const isSettled = this.#guarantee.isExact && LOSING.includes(trouble)
    for (const each of said) {
      if (each.how === 'in doubt' && (isReachable || isSettled)) {
        this.#found.push(`${what} ${describe(each)}, although the service could be reached`)
      }
      if (each.how === 'not applied' && isReachable && !isMistake(each.error)) {
        this.#found.push(`${what} ${describe(each)}, although nothing went wrong`)
      }
    }
  }

  #checkTime(begin: number): void {
    const { endsWithin } = this.#trouble
    const elapsed = this.#service.time.now() - begin
    if (endsWithin === undefined || elapsed <= endsWithin) return
    this.#found.push(`the call took ${elapsed} ms, with a deadline, and ${endsWithin} at most`)
  }

  async #beside(when: 'before' | 'after'): Promise<void> {
    const { beside } = this.#meeting
    const scene: Scene = {
      service: this.#service,
      model: this.#model,
      write: this.#write,
      name: this.#names.people,
    }
    const act: Act | undefined = besides[beside][when]?.(scene)
    if (act === undefined) return
    await this.#observe({ what: 'meanwhile', effects: [], said: [] })
    try {
      await (when === 'before' && this.#write.readsInside ? act.run() : this.#in(act.run().then()))
    } catch (error) {
      this.#found.push(`${beside} ${when} the call: ${nameOf(error)}`)
    }
    await this.#observe({
      what: `${beside} ${when} the call`,
      effects: act.effects,
      said: done(act),
    })
  }

  #etagNow(): string | undefined {
    const current = this.#stored.get(at(TARGET))?.etag
    return conditions[this.#meeting.condition].etag(current, this.#earlier)
  }

  /** An input that gives some operations, and the others when the first are sent. */
  async *#paced(operations: readonly object[]): AsyncGenerator<object> {
    yield* operations.slice(0, 2)
    await this.#service.time.sleep(INPUT_PAUSE)
    yield* operations.slice(2)
  }

  /** Gives the program an input that never ends, where the cell is about that. */
  #withInput(program: Program): Program {
    const { stuck } = this.#trouble
    if (stuck === undefined) return program
    const { account, input } = program
    return {
      ...program,
      async *input(operations) {
        yield* input(operations)
        if (stuck === 'close') void account.close()
        await new Promise(() => {})
      },
    }
  }

  /** Reads all people as a program that begins now. */
  async #readable(): Promise<void> {
    const { account }: { readonly account: Account } = this.#service.open()
    const table = this.#model.open(account, this.#names.people)
    for (const [place, { raw }] of this.#stored) {
      const rowKey = String(raw.RowKey)
      if (place !== at(rowKey) || !rowKey.startsWith(BEGINNING)) continue
      await table.get([String(raw.PartitionKey), rowKey]).catch((error: unknown) => {
        this.#found.push(`${place} cannot be read: ${nameOf(error)}`)
      })
    }
    const wrong = (await this.#model.verify?.(account, this.#names.people)) ?? []
    for (const each of wrong) this.#found.push(`kept rows are wrong: ${JSON.stringify(each)}`)
  }

  async #observe(step: Step): Promise<void> {
    const after = await this.#observed()
    this.#found.push(...contradictions(this.#stored, after, step))
    this.#stored = after
  }

  #observed(): Promise<Stored> {
    return storedRows(this.#service, this.#model, this.#names)
  }

  #in<Result>(work: Promise<Result>): Promise<Result> {
    return this.#service.time.run(work, LONGEST)
  }
}

/** Tells whether a journal says that an operation was skipped: it does not keep the reason. */
function isRecalled(said: Said): boolean {
  return said.how === 'refused' && said.error === undefined
}

function describe(said: Said): string {
  return 'error' in said ? `was ${said.how} (${nameOf(said.error)})` : 'was done'
}

function isSaid(result: unknown): result is readonly Said[] {
  return Array.isArray(result) && result.length > 0 && result.every((each) => Object(each).how)
}
