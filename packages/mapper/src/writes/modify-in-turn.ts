import { type InputError, invalidOption } from '@rowkey/odata'
import { afterWrite, type Call } from '@rowkey/rest'
import { checkOneKey, targetKey } from '../rows/entity-target.ts'
import { readRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import {
  applyAtOnce,
  conflict,
  type EntityModifier,
  isConflict,
  MODIFY_ATTEMPTS,
  type Modification,
  type ModifyOptions,
  modifyEntity,
  modifyOptions,
  readLatest,
  tooLate,
} from './modify-entity.ts'
import { asMerge, type Write } from './write.ts'
import type { Writes } from './writes.ts'

/** The rows that calls of `modify` in this process change now, by account, table and key. */
const rows = new Map<string, RowTurns>()

/**
 * Checks what the caller of `modify` gave, and modifies the entity.
 *
 * @throws InputError (`InvalidOptionValue`) when the modifier is not a function
 */
export async function modifyTarget<Entity extends object>(
  writes: Writes<Entity>,
  target: unknown,
  modifier: EntityModifier<Entity>,
  options: ModifyOptions,
): Promise<Entity> {
  const { table } = writes
  const where = `modify of table ${table.name}`
  checkOneKey(modifier, where)
  const key = targetKey(target, { mapping: table.types.ofKey(target), rows: table.rows })
  modifyOptions.check(options, where)
  if (typeof modifier !== 'function') throw noModifier(where)
  const { attempts, orInsert, ...rest } = options
  return table.service.call(rest, where, (call) =>
    modifyInTurn({ writes, key, modifier, attempts, orInsert }, call),
  )
}

/**
 * Modifies an entity when the earlier call for its row has ended. The calls that wait are then made together: one read, all
 * functions in turn, and one write by ETag. Each caller gets its own result or error.
 *
 * A function that waits for something does not hold up the others, which it may wait for.
 *
 * @param modification - the entity and the modifier
 * @param call - the call; its signal and its deadline end the wait, too
 */
async function modifyInTurn<Entity extends object>(
  modification: Modification<Entity>,
  call: Call,
): Promise<Entity> {
  const { writes, key } = modification
  const { origin } = writes.table
  const row = JSON.stringify([origin.account, origin.table, key.partitionKey, key.rowKey])
  const turns = rows.get(row)
  if (turns !== undefined) {
    const member = new Member(modification as unknown as Modification<object>, call)
    return (await turns.join(member)) as Entity // its function and its row are of this type
  }
  const own = new RowTurns(row)
  rows.set(row, own)
  return own.lead(modification, call)
}

/** A call that waits for its turn, or is made with others. */
class Member {
  readonly modification: Modification<object>
  readonly call: Call
  /** Resolves or rejects as the call does. */
  readonly result: Promise<object>
  /** Whether its function has run on what the group writes. */
  hasRun = false
  /** Whether its own requests end it: it is made by itself. */
  isApart = false
  isOver = false
  #resolve: (entity: object) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(modification: Modification<object>, call: Call) {
    this.modification = modification
    this.call = call
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  resolve(entity: object): void {
    this.isOver = true
    this.#resolve(entity)
  }

  reject(error: unknown): void {
    this.isOver = true
    this.#reject(error)
  }

  /** Makes the call by itself. */
  makeApart(make: () => Promise<object> = () => modifyEntity(this.modification, this.call)): void {
    this.isApart = true
    void make().then(
      (entity) => this.resolve(entity),
      (error: unknown) => this.reject(error),
    )
  }
}

/** Lets the calls for one row follow one another. */
class RowTurns {
  readonly #row: string
  #waiting: Member[] = []

  constructor(row: string) {
    this.#row = row
  }

  /** Makes one call by itself. The turn passes on when it has ended, or waits for its caller's function. */
  async lead<Entity extends object>(
    modification: Modification<Entity>,
    call: Call,
  ): Promise<Entity> {
    let hasPassed = false
    const pass = (): void => {
      if (hasPassed) return
      hasPassed = true
      void this.#next()
    }
    try {
      return await modifyEntity({ ...modification, onWait: pass }, call)
    } finally {
      pass()
    }
  }

  /** Makes a call in its turn, with those that wait. */
  async join(member: Member): Promise<object> {
    const { call, result } = member
    this.#waiting.push(member)
    await call.orEnded(result.catch(() => {}))
    if (!member.isOver && !member.isApart) {
      // The call has to end. Its own request says why, and what the group writes may have its change.
      this.#waiting = this.#waiting.filter((other) => other !== member)
      member.makeApart()
      if (member.hasRun) return afterWrite(result)
    }
    return result
  }

  /** Makes the calls that wait, until none does. */
  async #next(): Promise<void> {
    const [first] = this.#waiting
    if (first === undefined) {
      rows.delete(this.#row)
      return
    }
    const group = this.#waiting.filter((other) => other === first || areShared(first, other))
    this.#waiting = this.#waiting.filter((member) => !group.includes(member))
    if (group.length === 1) {
      first.makeApart(() => this.lead(first.modification, first.call))
      return
    }
    await modifyTogether(group)
    void this.#next()
  }
}

/** Whether it makes no difference to two calls which of them makes the requests. */
function areShared(one: Member, other: Member): boolean {
  const { writes, key } = one.modification
  const { service, assignType, types } = writes.table
  const { table } = other.modification.writes
  const isSame = service === table.service && types === table.types
  // What an object knows of a row of the next version is not the whole row, so it cannot be read again.
  const isWhole = assignType === undefined && types.ofKey(key).writeLater === undefined
  return isSame && isWhole && isShareable(one) && isShareable(other)
}

function isShareable({ modification: { attempts, orInsert }, call }: Member): boolean {
  if (attempts !== undefined || orInsert !== undefined) return false
  const { signal: _signal, deadline: _deadline, ...others } = call.given
  return Object.values(others).every((value) => value === undefined)
}

/** Whether the change of a call is still part of what its group writes. */
const isWith = ({ isOver, isApart }: Member): boolean => !isOver && !isApart

/** Makes calls together; it never rejects. */
async function modifyTogether(group: readonly Member[]): Promise<void> {
  const [{ modification }] = group as readonly [Member]
  const { service, name } = modification.writes.table
  try {
    // Not within one of the calls, whose end must not end the others.
    await service.call({}, `modify of table ${name}`, (call) =>
      modifyAll(group, modification, call),
    )
  } catch (error) {
    for (const member of group.filter(isWith)) member.reject(error)
  }
}

async function modifyAll(
  group: readonly Member[],
  modification: Modification<object>,
  call: Call,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { entity, write } = await modifiedByAll(group, modification, call)
    const members = group.filter(isWith)
    if (entity === undefined || members.length === 0) return
    try {
      if (write !== undefined) await modification.writes.send(asMerge(write), call)
      for (const member of members) member.resolve(copyOf(modification, entity))
      return
    } catch (cause) {
      if (!isConflict(cause, write, modification)) throw cause
      if (attempt >= MODIFY_ATTEMPTS) throw conflict(modification, attempt, cause)
      if (!(await call.again(attempt))) throw tooLate(modification, attempt, cause)
    }
  }
}

interface Modified {
  /** `undefined` when no function ran to its end. */
  readonly entity: object | undefined
  readonly write: Write | undefined
}

/** Reads the entity and runs the functions of a group. A function that fails, or spoils the entity, leaves no trace. */
async function modifiedByAll(
  group: readonly Member[],
  modification: Modification<object>,
  call: Call,
): Promise<Modified> {
  const { writes } = modification
  const { raw, etag } = await readLatest(modification, call)
  for (;;) {
    const entity = readRow(writes.table, raw, etag)
    const current = snapshotOf(entity)?.etag ?? etag
    let write: Write | undefined
    let last: object | undefined
    let isSpoiled = false
    for (const member of group) {
      if (!isWith(member)) continue
      member.hasRun = true
      try {
        if (await applyAtOnce(member.modification, entity)) {
          // The entity that it fails to make must not fail for the others.
          write = writes.of(entity).modification(entity, current)
          last = entity
          continue
        }
        // It waits for something, perhaps for another call of this group.
        member.makeApart()
      } catch (error) {
        member.hasRun = false
        member.reject(error)
      }
      isSpoiled = true
      break
    }
    if (!isSpoiled) return { entity: last, write }
  }
}

/** Reads the row that an entity was written to once more, so that each caller has an entity of its own. */
function copyOf({ writes: { table } }: Modification<object>, entity: object): object {
  const snapshot = snapshotOf(entity)
  if (snapshot === undefined) return entity
  const { raw } = snapshot.row
  const copy = readRow(table, raw, snapshot.etag)
  table.types.ofRow(raw).shape.showVersion(copy, snapshot.etag)
  return copy
}

function noModifier(where: string): InputError {
  return invalidOption(
    `${where} needs a function that changes the entity, such as (jeff) => { jeff.age = 5 }.`,
  )
}
