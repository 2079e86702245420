import { RowkeyError } from '@rowkey/odata'
import { EntityAlreadyExistsError, EntityNotFoundError, ETagMismatchError } from '@rowkey/rest'
import { type Aim, isWhole } from './history-aim.ts'
import { type Column, declaredNames, isSameValue, type Kind, shownBy } from './history-kinds.ts'
import type { StoredChange } from './history-log.ts'
import { type Knowledge, knownIn, type TrackedObject } from './history-object.ts'
import type { Properties, SentChange, StoredRow } from './history-rows.ts'

/** What must never happen. */
export type Rule =
  /** A stored property changed that no caller changed. */
  | 'untouched'
  /** A write with the object's own ETag overwrote what it had not seen. */
  | 'lost update'
  /** A write resolved and the row does not hold what the caller set. */
  | 'not done'
  /** An error says that nothing was stored, but something was; or it says something else that is false. */
  | 'untrue error'
  /** A write went to another row. */
  | 'wrong row'
  /** A write used the ETag of another row. */
  | 'foreign ETag'
  /** A write that is safe was rejected. */
  | 'overcautious'
  /** A keeper was shown other rows than the stored ones. */
  | 'wrong plan'
  /** A read shows other values than the stored ones. */
  | 'wrong read'
  /** An error that is not a RowkeyError. */
  | 'raw error'

/** Thrown when a history breaks a rule. */
export class BrokenRule extends Error {
  readonly rule: Rule
  /** The rule, the kind and the write: what a list of known defects groups by. */
  readonly signature: string

  constructor(rule: Rule, about: string, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
    this.signature = `${rule} · ${about}`
  }
}

/** Checks what one write stored against what it may do. */
export function checkStored(aim: Aim, stored: StoredChange): void {
  const { change, before, after } = stored
  checkCondition(aim, change)
  if (aim.how === 'delete' || after === undefined) {
    if (aim.how !== 'delete') throw broken('untouched', aim, 'the row was deleted')
    return
  }
  if (change.kind === 'delete') throw broken('untouched', aim, 'a delete was sent')
  if (aim.how === 'insert' && before !== undefined) {
    throw broken('lost update', aim, 'it overwrote a row')
  }
  if (aim.how === 'merge' && change.kind !== 'merge' && !isMigrated(aim)) {
    throw broken('untouched', aim, `it sent a ${change.kind}`)
  }
  if (change.kind === 'merge' && aim.how === 'merge') checkSent(aim, change.properties)
  checkColumns(aim, before, after)
  checkUndeclared(aim, before, after, change.kind === 'merge')
  if (change.kind === 'merge' && aim.how === 'merge') checkMarks(aim, before, after)
  checkVersion(aim, before, after)
}

/** Checks that a versioned object does not put a row of a later version back, which drops what only that one has. */
function checkVersion(aim: Aim, before: StoredRow | undefined, after: StoredRow): void {
  const [was, is] = [before, after].map((row) => row?.properties.get('Version'))
  if (!aim.kind.marks.has('Version') || was !== 'Int32 2' || is === was) return
  throw broken('untouched', aim, `it put a row of ${was} back to ${print(is)}`)
}

/** Checks that a write does not use the ETag of another row, table or account. */
function checkCondition(aim: Aim, { condition }: SentChange): void {
  const { knowledge, mode, isBound } = aim
  if (mode === 'own' && (condition === undefined || condition === '*')) {
    throw broken('lost update', aim, 'it was not conditional')
  }
  if (mode !== 'own' || isBound || knowledge.origin === 'copy' || knowledge.isVague) return
  throw broken(
    'foreign ETag',
    aim,
    'the object knows nothing of this row, and its own ETag was used',
  )
}

function checkSent(aim: Aim, sent: Properties): void {
  const { kind, maySend } = aim
  for (const name of sent.keys()) {
    if (kind.marks.has(name) || (kind.isSigned && kind.hidden.has(name))) continue
    const column = kind.columns.find(({ names }) => names.includes(name))
    if (column !== undefined && maySend.has(column.property)) continue
    if (isMigrated(aim)) continue
    throw broken('untouched', aim, `a merge sent "${name}", which no caller changed`)
  }
}

/** A row of another version is written whole in the object's own version; checkColumns checks the values. */
function isMigrated({ kind, knowledge, atCall = knowledge }: Aim): boolean {
  const isOther = ({ base }: Knowledge) =>
    base !== undefined && [...kind.marks].some(([name, text]) => base.properties.get(name) !== text)
  return isOther(knowledge) || isOther(atCall)
}

function checkColumns(aim: Aim, before: StoredRow | undefined, after: StoredRow): void {
  const { kind, mode, shown, mayChange, knowledge } = aim
  for (const column of kind.columns) {
    const { property } = column
    const was = before && column.of(before.properties)
    const is = column.of(after.properties)
    if (was === is) continue
    const isShown =
      isSameValue(is, shown.get(property)) || column.isAltered || isLeft(aim, column, is)
    const isDefault = is !== undefined && is === column.fallback && givesDefaults(aim)
    if (!isShown && !(isDefault && shown.get(property) === undefined)) {
      const message = `"${property}" was ${print(was)}, the object shows ${print(shown.get(property))}, and now it is ${print(is)}`
      throw broken('untouched', aim, message)
    }
    if (!mayChange.has(property) && !(isDefault && was === undefined)) {
      const message = `"${property}" was ${print(was)} and is ${print(is)}, and no caller changed it`
      throw broken('untouched', aim, message)
    }
    // A schema may have stored another value than the object shows.
    if (mode !== 'own' || column.isAltered) continue
    const known = knownIn(knowledge, kind, property)
    const isKnown = isSameValue(was, known) || knowledge.doubts.get(property)?.has(was) === true
    if (!isKnown) {
      const message = `"${property}" was ${print(was)}, the object knew ${print(known)}, and now it is ${print(is)}`
      throw broken('lost update', aim, message)
    }
  }
}

/**
 * A projection need not store the default of a property that is not stored, nor need an upsert by merge that of a schema: the
 * next read shows it again.
 */
function isLeft({ how, knowledge, shown }: Aim, column: Column, is: string | undefined): boolean {
  const isDefault = shown.get(column.property) === column.fallback
  const mayLack = knowledge.selected !== undefined || (how === 'insertOrMerge' && column.isDefault)
  return is === undefined && mayLack && isDefault
}

function checkUndeclared(
  aim: Aim,
  before: StoredRow | undefined,
  after: StoredRow,
  isMerge: boolean,
): void {
  const declared = declaredNames(aim.kind)
  const names = new Set([...(before?.properties.keys() ?? []), ...after.properties.keys()])
  for (const name of names) {
    const was = before?.properties.get(name)
    const is = after.properties.get(name)
    if (was === is || isDeclared(aim, declared, name, was ?? is ?? '')) continue
    const problem = `"${name}", which ${aim.kind.title} does not declare, was ${print(was)} and is ${print(is)}`
    if (isMerge) throw broken('untouched', aim, problem)
    if (aim.mode === 'own') throw broken('lost update', aim, problem)
    const { carried, maybeCarried, isVague } = aim.knowledge
    const known = carried?.properties.get(name)
    const lastRead = isVague ? aim.object.lastRead.get(aim.place) : undefined
    const isCarried = [
      known,
      ...[lastRead, maybeCarried].map((row) => row?.properties.get(name)),
    ].includes(is)
    if (is !== undefined && !isCarried) throw broken('untouched', aim, problem)
    // A write past others may drop what they stored, but not what the object read and is still stored.
    if (aim.isBound && aim.knowledge.isWhole && was === known)
      throw broken('untouched', aim, problem)
  }
}

/** Whether a write stores the defaults of a schema: it does when it makes the row, or when a copy writes all that it shows. */
function givesDefaults({ how, knowledge }: Aim): boolean {
  return isWhole(how) || knowledge.origin === 'copy'
}

/** A number under the name of a second piece of text is a separate property, unless the text needs the piece. */
function isDeclared(
  { kind, mayChange }: Aim,
  declared: ReadonlySet<string>,
  name: string,
  text: string,
): boolean {
  if (!declared.has(name)) return false
  const whole = kind.columns.find(({ names }) => names.indexOf(name) > 0 && name.includes('_'))
  return whole === undefined || mayChange.has(whole.property) || text.startsWith('String ')
}

/** Checks that a merge does not change the type or the version of the row. */
function checkMarks(aim: Aim, before: StoredRow | undefined, after: StoredRow): void {
  for (const name of aim.kind.marks.keys()) {
    const was = before?.properties.get(name)
    const is = after.properties.get(name)
    if (was === undefined || was === is || isUpgrade(name, was, is)) continue
    throw broken('untouched', aim, `a merge changed the mark "${name}" from ${was} to ${print(is)}`)
  }
}

/** An upgrade is allowed: its properties are checked one by one. */
function isUpgrade(name: string, was: string, is: string | undefined): boolean {
  return name === 'Version' && was === 'Int32 1' && is === 'Int32 2'
}

/** Tells whether a row holds what a write must store. */
export function isDone(aim: Aim, row: StoredRow | undefined): boolean {
  return undone(aim, row) === undefined
}

function undone(aim: Aim, row: StoredRow | undefined): string | undefined {
  if (row === undefined) return aim.must.size > 0 || !aim.isBound ? 'the row is missing' : undefined
  // The row may have another type or version. A write past others cannot know that; one with the own ETag must.
  if (isBlind(aim) && !isOwnKind(aim.kind, row)) return undefined
  for (const column of aim.kind.columns) {
    if (!aim.must.has(column.property) || column.isAltered) continue
    const { property, fallback } = column
    const is = column.of(row.properties)
    const shown = aim.shown.get(property)
    const isDefault = shown === undefined && is !== undefined && is === fallback
    const isGiven = isDefault && givesDefaults(aim)
    if (!isSameValue(is, shown) && !isGiven && !isLeft(aim, column, is)) {
      return `"${property}" is ${print(is)}, and the object showed ${print(shown)}`
    }
  }
  const { base, written } = aim.knowledge
  // After a write past others, a program without versions cannot tell which version the row has.
  const isVersionKnown = written.size === 0 || aim.kind.marks.has('Version')
  const isKnown = (base !== undefined && isVersionKnown) || isWhole(aim.how)
  const isReadable = aim.kind.isUntyped || aim.kind.reads(row.properties)
  return isReadable || !isKnown || aim.must.size === 0
    ? undefined
    : 'the row can no longer be read as this kind'
}

/** Whether a merge goes into any stored row, also of another kind. A versioned object must know the version. */
function isBlind({ mode, how, kind }: Aim): boolean {
  return mode !== 'own' && !isWhole(how) && !kind.marks.has('Version')
}

function isOwnKind(kind: Kind, { properties }: StoredRow): boolean {
  return (
    kind.reads(properties) && [...kind.marks].every(([name, text]) => properties.get(name) === text)
  )
}

/** Checks a write that resolved. */
export function checkDone(
  aim: Aim,
  stored: readonly StoredChange[],
  now: StoredRow | undefined,
  isQuiet: boolean,
): void {
  const last = stored.at(-1)
  if (aim.how === 'delete') return
  // After a lost response, a row with the same content counts as stored by this write.
  if (last === undefined && aim.how === 'insert' && !isQuiet && undone(aim, now) === undefined)
    return
  if (last !== undefined) {
    const problem = undone(aim, last.after)
    if (problem !== undefined) throw broken('not done', aim, `it resolved, and ${problem}`)
    return
  }
  if (aim.how !== 'merge') throw broken('not done', aim, 'it resolved, and nothing was stored')
  if (!aim.isBound) {
    throw broken(
      'not done',
      aim,
      'it resolved and sent nothing, of an object that knows nothing of this row',
    )
  }
  const problem = undone(aim, aim.before)
  if (problem !== undefined)
    throw broken('not done', aim, `it resolved and sent nothing, and ${problem}`)
}

/** A request of a call, and the row that was stored when it arrived. */
export interface Sight {
  readonly place: string
  readonly row: StoredRow | undefined
  readonly condition: string | undefined
}

/** What a rejected call did. */
export interface Rejection {
  readonly about: string
  readonly error: unknown
  readonly stored: readonly StoredChange[]
  /** What its requests found; empty when it sent nothing. */
  readonly sights: readonly Sight[]
}

/** Checks that an error is true. */
export function checkRejected({ about, error, stored, sights }: Rejection): void {
  const name = nameOf(error)
  if (!(error instanceof RowkeyError)) {
    throw new BrokenRule(
      'raw error',
      `${about} · ${name}`,
      `${about} rejected with ${String(error)}`,
    )
  }
  const { mayHaveApplied }: { mayHaveApplied?: unknown } = Object(error)
  const untrue = (message: string) =>
    new BrokenRule('untrue error', `${about} · ${name}`, `${about}: ${name} ${message}`)
  if (mayHaveApplied !== true && stored.length > 0) {
    throw untrue(
      `says that nothing was stored (mayHaveApplied ${String(mayHaveApplied)}), and it was`,
    )
  }
  if (mayHaveApplied === true || sights.length === 0) return
  const hasMet = (is: (sight: Sight) => boolean) => sights.some(is)
  if (error instanceof EntityNotFoundError && !hasMet(({ row }) => row === undefined)) {
    throw untrue('and the row was there')
  }
  if (error instanceof EntityAlreadyExistsError && !hasMet(({ row }) => row !== undefined)) {
    throw untrue('and the row was missing')
  }
  if (
    error instanceof ETagMismatchError &&
    !hasMet(({ row, condition }) => condition !== '*' && row?.etag !== condition)
  ) {
    throw untrue('and the row had that ETag')
  }
}

/** Checks what an object shows after a read. */
export function checkRead(
  object: TrackedObject,
  row: StoredRow,
  selected: ReadonlySet<string> | undefined,
  about: string,
): void {
  if (!object.kind.reads(row.properties)) {
    const message = `${about} read a row of another type or version as ${object.kind.title}`
    throw new BrokenRule('wrong read', about, message)
  }
  const shown = shownBy(object.kind, object.entity)
  for (const column of object.kind.columns) {
    if (column.isAltered || (selected !== undefined && !selected.has(column.property))) continue
    if (isShownAs(column, row, shown.get(column.property))) continue
    const message = `${about} shows ${column.property} as ${print(shown.get(column.property))}, and ${print(column.of(row.properties))} is stored`
    throw new BrokenRule('wrong read', about, message)
  }
}

function isShownAs(column: Column, row: StoredRow, shown: string | undefined): boolean {
  const is = column.of(row.properties)
  return is === undefined
    ? shown === undefined || shown === column.fallback
    : isSameValue(is, shown)
}

/** Checks that an upgraded row shows the same values as before, and keeps all other properties. */
export function checkUpgraded(
  kind: Kind | undefined,
  before: StoredRow,
  after: StoredRow | undefined,
): void {
  if (kind === undefined) return
  const wrong = (message: string) => new BrokenRule('untouched', 'upgradeTable', message)
  if (after === undefined) throw wrong('the row is gone')
  for (const column of kind.columns) {
    const [was, is] = [column.of(before.properties), column.of(after.properties)]
    if (was !== is) throw wrong(`"${column.property}" was ${print(was)} and is ${print(is)}`)
  }
  for (const [name, text] of kind.marks) {
    const is = after.properties.get(name)
    if (is !== text) throw wrong(`the mark "${name}" is ${print(is)}`)
  }
  for (const [name, was] of before.properties) {
    const is = after.properties.get(name)
    if (is === was || declaredNames(kind).has(name)) continue
    throw wrong(`"${name}" was ${was} and is ${print(is)}`)
  }
}

/** Returns the error of a write that breaks a rule. */
export function broken(rule: Rule, aim: Aim, message: string): BrokenRule {
  const { kind, how, mode, place, object } = aim
  const about = `${kind.title}.${how}${mode === 'own' ? '' : ` (${mode})`}`
  return new BrokenRule(rule, about, `${about} of ${object.name} at ${place}: ${message}`)
}

/** Returns the class and the code of an error. */
export function nameOf(error: unknown): string {
  const { name, code }: { name?: unknown; code?: unknown } = Object(error)
  return code === undefined ? String(name) : `${String(name)} ${String(code)}`
}

function print(text: string | undefined): string {
  return text === undefined ? 'absent' : text.length > 60 ? `${text.slice(0, 60)}…` : text
}
