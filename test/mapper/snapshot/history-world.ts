import { type Table, upgradeTable } from '@rowkey/mapper'
import { type Aim, aimOf, type ETagMode, type WriteKind } from './history-aim.ts'
import { Call } from './history-call.ts'
import { BrokenRule, checkRead, checkRejected, checkUpgraded, nameOf } from './history-checks.ts'
import { forgetPlans } from './history-keeper.ts'
import type { Kind } from './history-kinds.ts'
import { placeOf } from './history-log.ts'
import { TrackedObject } from './history-object.ts'
import {
  fateOf,
  isOwnVersion,
  isSentLate,
  modeOf,
  nameOfPlace,
  readBy,
  selection,
  sendWrites,
  titleOf,
} from './history-requests.ts'
import { rivalWrites } from './history-rivals.ts'
import type { StoredRow } from './history-rows.ts'
import { CallRunner, type Say } from './history-runner.ts'
import type { Scene, View } from './history-scenes.ts'
import type { AnyTable, Place, Services } from './history-services.ts'
import type { Spot, Step, WriteStep } from './history-steps.ts'
import type { Tally } from './history-tally.ts'

/** An ETag that no row has. */
const BOGUS = `W/"datetime'2020-01-01T00%3A00%3A00.0000000Z'"`
const MOST_WAITING = 3

type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>

/** Where an object is read from and written to, unless it is moved. */
interface Home {
  readonly view: View
  readonly place: Place
}

/** One history in progress: a few objects, their rows, and what happens to both. */
export class World {
  readonly #services: Services
  readonly #scene: Scene
  readonly #tally: Tally
  readonly #say: Say
  readonly #runner: CallRunner
  readonly #objects: (TrackedObject | undefined)[] = []
  readonly #homes = new WeakMap<TrackedObject, Home>()
  #names = 0

  /** @param say - takes the history as a program, line by line */
  constructor(services: Services, scene: Scene, tally: Tally, say: Say) {
    this.#services = services
    this.#scene = scene
    this.#tally = tally
    this.#say = say
    this.#runner = new CallRunner(services, scene.title, tally, say)
    forgetPlans()
  }

  /** Does one step before the history begins; it is not counted. */
  async prepare(step: Step): Promise<void> {
    await this.#do(step)
  }

  /** Does one step, if it has an effect now. */
  async take(step: Step): Promise<void> {
    if (await this.#do(step)) this.#tally.count(step.do)
    this.#runner.check()
  }

  /** Answers every call in flight. */
  async end(): Promise<void> {
    while (await this.#runner.settle(0, 'answered')) this.#runner.check()
  }

  /** Frees what the history needed. */
  close(): void {
    this.#runner.close()
  }

  async #do(step: Step): Promise<boolean> {
    switch (step.do) {
      case 'read':
        return this.#read(step)
      case 'make':
        return this.#make(step)
      case 'copy':
        return this.#copy(step)
      case 'set':
        return this.#set(step)
      case 'freeze':
        return this.#freeze(step)
      case 'rename':
        return this.#rename(step)
      case 'write':
        return this.#write(step)
      case 'settle':
        return this.#runner.settle(step.which, step.ending)
      case 'rival':
        return this.#rival(step)
      case 'modify':
        return this.#modify(step)
      case 'reload':
        return this.#reload(step)
      case 'upgrade':
        return this.#upgrade(step)
      case 'tick':
        this.#services.clock.advance(1)
        return true
    }
  }

  async #read({ spot, way, select, slot }: StepOf<'read'>): Promise<boolean> {
    const view = this.#view(spot)
    const place = this.#services.at(spot)
    const row = place.log.row(nameOfPlace(place))
    const names = selection(view, way, select)
    const about = `${view.title}.${way}${names === undefined ? '' : ' with select'}`
    const options = names === undefined ? '' : `, { select: ${JSON.stringify(names)} }`
    this.#say(
      `const o${this.#names + 1} = await ${titleOf(view, place)}.${way}(${JSON.stringify(place.key)}${options})`,
    )
    const kind = this.#kindOf(view, row)
    let entity: object | undefined
    try {
      entity = await readBy(this.#table(view, place), way, view, place, names)
    } catch (error) {
      this.#checkFailedRead(about, error)
      const isPartMigrated = names !== undefined && kind !== undefined && !isOwnVersion(kind, row)
      const isHidden = way === 'query' && !this.#readsAll(view, place, names !== undefined)
      if (kind === undefined || isPartMigrated || isHidden) return true
      throw new BrokenRule('overcautious', about, `${about} rejected: ${String(error)}`)
    }
    if (entity === undefined) {
      if (kind === undefined) return true
      throw new BrokenRule('wrong read', about, `${about} found nothing, and the row is there`)
    }
    const selected = names && new Set(names)
    const object = this.#track(kind ?? view.kinds[0], entity, slot, { view, place })
    this.#learn(object, place, row, selected, about)
    return true
  }

  async #reload({ object: slot, spot, moves, holds }: StepOf<'reload'>): Promise<boolean> {
    const object = this.#objects[slot]
    const home = object && this.#target(object, spot, moves)
    const isFull = holds && this.#runner.waiting === MOST_WAITING
    if (object === undefined || home === undefined || isFull) return false
    const { view, place } = home
    const about = `${object.kind.title}.reload`
    const call = new Call(about, { mishap: 'none', holds })
    let row: StoredRow | undefined
    let order = 0
    call.onRead = () => {
      row = place.log.row(nameOfPlace(place))
      order = this.#runner.next()
    }
    this.#say(`await ${titleOf(view, place)}.reload(${object.name})${holds ? ' // waits' : ''}`)
    const { knowledge } = object
    const isSame = knowledge.place === nameOfPlace(place) && knowledge.origin === 'known'
    const options = holds ? { signal: call.controller.signal } : {}
    await this.#runner.run(call, async () => {
      await this.#table(view, place)
        .reload(object.entity, options)
        .catch((error: unknown) => {
          const isExpected =
            !isSame || object.isFrozen || row === undefined || !object.kind.reads(row.properties)
          if (!isExpected && call.isQuiet) {
            this.#runner.report(
              new BrokenRule('overcautious', about, `${about} rejected: ${String(error)}`),
            )
          }
          throw error
        })
      this.#runner.watch(() => this.#learn(object, place, row, undefined, about, order))
    })
    return true
  }

  #checkFailedRead(about: string, error: unknown): void {
    checkRejected({ about, error, stored: [], sights: [] })
    this.#say(`  // rejected: ${nameOf(error)}`)
  }

  #learn(
    object: TrackedObject,
    place: Place,
    row: StoredRow | undefined,
    selected: ReadonlySet<string> | undefined,
    about: string,
    order: number = this.#runner.next(),
  ): void {
    if (row === undefined) {
      throw new BrokenRule('wrong read', about, `${about} found a row that is not there`)
    }
    object.read(nameOfPlace(place), row, selected, order)
    checkRead(object, row, selected, about)
  }

  #make({ spot, values, slot }: StepOf<'make'>): boolean {
    const view = this.#view(spot)
    const place = this.#services.at(spot)
    const kind = view.kinds[spot.view % view.kinds.length]
    if (kind === undefined) return false
    const entity = kind.create()
    const [partitionKey, rowKey] = kind.keys
    Object.assign(entity, { [partitionKey]: place.key[0], [rowKey]: place.key[1] })
    const made = this.#track(kind, entity, slot, { view, place })
    this.#say(`const ${made.name} = new ${kind.title}(${JSON.stringify(place.key)})`)
    for (const value of values) this.#assign(made, value, value)
    return true
  }

  #copy({ object, slot }: StepOf<'copy'>): boolean {
    const from = this.#objects[object]
    const home = from && this.#homes.get(from)
    if (from === undefined || home === undefined) return false
    const copied = this.#track(from.kind, from.kind.copy(from.entity), slot, home)
    this.#say(`const ${copied.name} = { ...${from.name} }`)
    if (from.etag === undefined || from.knowledge.origin === 'new') return true
    copied.knowledge = {
      ...from.knowledge,
      origin: 'copy',
      isWhole: false,
      isVague: !from.knowledge.isWhole,
    }
    for (const property of [...from.touched, ...from.doubtful(from.knowledge.place ?? '')])
      copied.touched.add(property)
    return true
  }

  #set({ object, column, value }: StepOf<'set'>): boolean {
    const at = this.#objects[object]
    if (at === undefined || at.isFrozen) return false
    this.#assign(at, column, value)
    return true
  }

  #assign(object: TrackedObject, column: number, value: number): void {
    const at = object.kind.columns[column % object.kind.columns.length]
    if (at === undefined) return
    const given = at.values[value % at.values.length]
    object.set(at.property, given)
    this.#say(`${object.name}.${at.property} = ${at.text(given)?.slice(0, 40) ?? 'undefined'}`)
  }

  #freeze({ object }: StepOf<'freeze'>): boolean {
    const at = this.#objects[object]
    if (at === undefined || at.isFrozen) return false
    Object.freeze(at.entity)
    this.#say(`Object.freeze(${at.name})`)
    return true
  }

  #rename({ object, row }: StepOf<'rename'>): boolean {
    const at = this.#objects[object]
    if (at === undefined || at.isFrozen) return false
    const { key } = this.#services.at({ account: 0, table: 0, row, view: 0 })
    Object.assign(at.entity, { [at.kind.keys[1]]: key[1] })
    this.#say(`${at.name}.${at.kind.keys[1]} = ${JSON.stringify(key[1])}`)
    return true
  }

  async #write(step: WriteStep): Promise<boolean> {
    const object = this.#objects[step.object]
    const isQueued = object !== undefined && this.#runner.isWriting(object)
    const waits = step.holds || isSentLate(step) || isQueued
    const isFull = waits && this.#runner.waiting === MOST_WAITING
    const home = object && this.#target(object, step.spot, step.moves)
    if (object === undefined || home === undefined || isFull) return false
    const how = step.how === 'deleteIfExists' ? 'delete' : step.how
    // A copy carries an ETag without knowledge, so the client cannot see that it is stale or of another row.
    const { origin, place: from, isVague } = object.knowledge
    const isAstray = origin === 'copy' && (isVague || from !== nameOfPlace(home.place))
    const mode = modeOf(how, isAstray && step.etag === 'own' ? 'past' : step.etag)
    const { log, table } = home.place
    const call = new Call(`${home.view.title}.${step.how}${mode === 'own' ? '' : ` (${mode})`}`, {
      mishap: step.mishap,
      holds: step.holds,
      isLate: isSentLate(step),
    })
    for (const each of [{ object, how, mode }, ...this.#second(step, object, home)]) {
      const place = placeOf(log.account, table, each.object.key)
      call.aims.push(aimOf(each.object, each.how, each.mode, place, log.row(place)))
    }
    const etags = call.aims.map((aim) => etagOf(aim, home, step))
    const writes = call.aims.map((aim, index) => {
      const etag = etags[index]
      return `${aim.how}(${aim.object.name}${etag === undefined ? '' : `, { etag: ${JSON.stringify(etag)} }`})`
    })
    const manner = step.manner === 'method' ? '' : ` by ${step.manner}`
    const late = isSentLate(step) ? ' // submitted later' : ''
    this.#say(
      `await ${titleOf(home.view, home.place)}.${writes.join('.')}${manner}${late}${fateOf(step)}`,
    )
    const opened = this.#table(home.view, home.place)
    await this.#runner.run(call, () => sendWrites(opened, step, call, etags))
    return true
  }

  /** Another object of the same batch: of another row of the same partition. */
  #second(
    step: WriteStep,
    first: TrackedObject,
    { view, place }: Home,
  ): { readonly object: TrackedObject; readonly how: WriteKind; readonly mode: ETagMode }[] {
    const object = this.#objects[step.second]
    const isBatch = step.manner === 'batch' || step.manner === 'operations'
    if (!isBatch || object === undefined || !view.kinds.includes(object.kind)) return []
    const home = this.#homes.get(object)
    const isHere = home?.place.account === place.account && home.place.table === place.table
    if (!isHere || object.key[1] === first.key[1]) return []
    return [{ object, how: 'merge', mode: step.spot.row % 2 === 0 ? 'own' : 'past' }]
  }

  async #modify(step: StepOf<'modify'>): Promise<boolean> {
    const view = this.#view(step.spot)
    const place = this.#services.at(step.spot)
    const name = nameOfPlace(place)
    const call = new Call(`${view.title}.modify`, { mishap: step.mishap, holds: false })
    const row = place.log.row(name)
    const isReadable = this.#kindOf(view, row)?.isBlocked(row?.properties ?? new Map()) === false
    let object: TrackedObject | undefined
    let isFirst = true
    const modifier = async (entity: object): Promise<void> => {
      const row = place.log.row(name)
      const kind = this.#kindOf(view, row) ?? view.kinds[0]
      call.restart()
      if (kind === undefined) return
      object = new TrackedObject(`m${++this.#names}`, kind, entity)
      this.#homes.set(object, { view, place })
      this.#say(`  // it gives ${object.name}`)
      this.#learn(object, place, row, undefined, call.about)
      this.#assign(object, step.column, step.value)
      if (!step.isRivalled || !isFirst) return
      isFirst = false
      const values = [step.value, step.column]
      await this.#rival({ do: 'rival', spot: step.spot, how: 'merge', values })
    }
    call.aimAt = ({ kind }) => {
      if (object === undefined) return undefined
      const { base } = object.knowledge
      const aim = aimOf(object, kind === 'replace' ? 'replace' : 'merge', 'own', name, base)
      // A rival may have made a row of it that the next attempt cannot read.
      return { ...aim, isSafe: aim.isSafe && place.log.row(name) === base }
    }
    this.#say(
      `await ${titleOf(view, place)}.modify(${JSON.stringify(place.key)}, …)${fateOf({ ...step, holds: false, retries: false })}`,
    )
    const options = step.mishap === 'aborted before' ? { signal: call.controller.signal } : {}
    const opened = this.#table(view, place)
    await this.#runner.run(call, async () => {
      try {
        await opened.modify(place.key, modifier, options)
      } catch (error) {
        if (error instanceof BrokenRule) this.#runner.report(error)
        else if (call.isQuiet && isReadable && !step.isRivalled) {
          const message = `${call.about} rejected: ${String(error)}`
          this.#runner.report(new BrokenRule('overcautious', call.about, message))
        }
        throw error
      }
    })
    if (object !== undefined) this.#objects[step.slot] = object
    return true
  }

  #rival({ spot, how, values }: StepOf<'rival'>): Promise<boolean> {
    const place = this.#services.at(spot)
    const mark = { index: spot.view, always: spot.view === 0 }
    const rival = { services: this.#services, scene: this.#scene, place, say: this.#say }
    return rivalWrites(rival, how, values, mark)
  }

  async #upgrade({ spot }: StepOf<'upgrade'>): Promise<boolean> {
    const { upgrade: view } = this.#scene
    const place = this.#services.at(spot)
    if (view === undefined) return false
    this.#say(`await upgradeTable(${titleOf(view, place)})`)
    const before = place.log.places(place.table).map((each) => [each, place.log.row(each)] as const)
    await upgradeTable(this.#table(view, place) as unknown as Table<object>)
    for (const [each, row] of before) {
      if (row !== undefined) checkUpgraded(view.kinds[0], row, place.log.row(each))
    }
    return true
  }

  #view({ view }: Spot): View {
    const { views } = this.#scene
    return views[view % views.length] as View // a scene has views
  }

  #table(view: View, place: Place): AnyTable {
    return this.#services.table(this.#scene, view, place)
  }

  #kindOf(view: View, row: StoredRow | undefined): Kind | undefined {
    return row && view.kinds.find((kind) => kind.reads(row.properties))
  }

  #readsAll(view: View, { log, table }: Place, isPart: boolean): boolean {
    return log.places(table).every((place) => {
      const row = log.row(place)
      const kind = this.#kindOf(view, row)
      return kind !== undefined && (!isPart || isOwnVersion(kind, row))
    })
  }

  #track(kind: Kind | undefined, entity: object, slot: number, home: Home): TrackedObject {
    if (kind === undefined) throw new Error('a view has kinds')
    const object = new TrackedObject(`o${++this.#names}`, kind, entity)
    this.#objects[slot] = object
    this.#homes.set(object, home)
    return object
  }

  /** Where an object is written to. */
  #target(object: TrackedObject, spot: Spot, moves: boolean): Home | undefined {
    const home = this.#homes.get(object)
    if (home === undefined) return undefined
    const at = moves ? this.#services.at(spot) : home.place
    const views = this.#scene.views.filter(({ kinds }) => kinds.includes(object.kind))
    const view = moves ? views[spot.view % views.length] : home.view
    return view && { view, place: { ...at, key: object.key } }
  }
}

/** The ETag that a caller gives; `undefined` for none. */
function etagOf({ mode, place, object }: Aim, home: Home, step: WriteStep): string | undefined {
  if (mode !== 'given') return mode === 'past' && isConditional(step) ? '*' : undefined
  const carried = step.spot.row === 0 ? object.etag : undefined
  return carried ?? home.place.log.row(place)?.etag ?? BOGUS
}

function isConditional({ how }: WriteStep): boolean {
  return how !== 'insertOrMerge' && how !== 'insertOrReplace' && how !== 'insert'
}
