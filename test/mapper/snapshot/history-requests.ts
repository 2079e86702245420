import { Operation } from '@rowkey/mapper'
import type { RetryPolicy } from '@rowkey/rest'
import type { Aim, ETagMode, WriteKind } from './history-aim.ts'
import type { Call } from './history-call.ts'
import type { Kind } from './history-kinds.ts'
import { placeOf } from './history-log.ts'
import type { StoredRow } from './history-rows.ts'
import type { View } from './history-scenes.ts'
import type { AnyTable, Place } from './history-services.ts'
import type { Step, WriteStep } from './history-steps.ts'

const threeTimes: RetryPolicy = { delayAfter: ({ number }) => (number < 3 ? 0 : undefined) }

/** Which way a row is read. */
export type Way = Extract<Step, { do: 'read' }>['way']

/** Whether a write is a batch that a later step submits. */
export function isSentLate({ manner, isLate, holds }: WriteStep): boolean {
  return manner === 'batch' && isLate && !holds
}

/** The name of a place in the log. */
export function nameOfPlace({ log, table, key }: Place): string {
  return placeOf(log.account, table, key)
}

/** A table as a program names it. */
export function titleOf(view: View, { log, table }: Place): string {
  return `${log.account}.${table}.as(${view.title})`
}

/** Whether a row is of the version that a kind writes. */
export function isOwnVersion(kind: Kind, row: StoredRow | undefined): boolean {
  return [...kind.marks].every(([name, text]) => row?.properties.get(name) === text)
}

/** The properties that a read selects; `undefined` for all. */
export function selection(
  { kinds }: View,
  way: Way,
  bits: number,
): readonly [string, ...string[]] | undefined {
  const [kind] = kinds
  const isPossible = way === 'get' || way === 'find' || way === 'query'
  if (kind === undefined || kinds.length > 1 || kind.isWhole || !isPossible) return undefined
  const [first, ...rest] = kind.columns
    .filter(({ isSelectable }, index) => isSelectable && (bits & (1 << index)) !== 0)
    .map(({ property }) => property)
  return first === undefined ? undefined : [first, ...rest]
}

/** Reads one row. */
export async function readBy(
  table: AnyTable,
  way: Way,
  { kinds }: View,
  { key }: Place,
  select: readonly string[] | undefined,
): Promise<object | undefined> {
  const options = select === undefined ? {} : { select }
  switch (way) {
    case 'get':
      return table.get(key, options)
    case 'find':
      return table.find(key, options)
    case 'getMany':
      return (await table.getMany([key, ['p', 'z']]))[0]
    case 'retrieve': {
      const result = await table.execute(Operation.retrieve(key[0], key[1]))
      return (result as { readonly entity?: object }).entity
    }
    case 'batch':
      return (await table.batch().retrieve(key).submit())[0]?.entity
    case 'query': {
      const [partitionKey = '', rowKey = ''] = kinds[0]?.keys ?? []
      const query = table.query().where({ [partitionKey]: key[0] })
      const rows = await (select === undefined ? query : query.select(...select)).toArray()
      return rows.find((row) => {
        const members = row as Record<string, unknown>
        return (members[rowKey] ?? members.rowKey) === key[1]
      })
    }
  }
}

/** Sends the writes of a call, as its step says. */
export async function sendWrites(
  table: AnyTable,
  step: WriteStep,
  call: Call,
  etags: readonly (string | undefined)[],
): Promise<unknown> {
  const options = {
    ...(step.retries && { retry: threeTimes }),
    ...((step.holds || step.mishap === 'aborted before') && { signal: call.controller.signal }),
  }
  const [aim] = call.aims
  if (aim === undefined) return undefined
  if (step.manner === 'batch') {
    const batch = table.batch()
    call.aims.forEach(({ how, object }, index) => {
      batch[how](object.entity, conditionOf(etags[index]))
    })
    if (isSentLate(step)) await call.made()
    return batch.submit(options)
  }
  if (step.manner === 'method') {
    const method = step.how
    return table[method](aim.object.entity, { ...options, ...conditionOf(etags[0]) })
  }
  const operations = call.aims.map((each, index) => operationOf(each, etags[index]))
  return table.execute(step.manner === 'operation' ? (operations[0] ?? {}) : operations, options)
}

function operationOf({ how, object: { entity } }: Aim, etag: string | undefined): object {
  const condition = conditionOf(etag)
  switch (how) {
    case 'merge':
      return Operation.merge(entity, condition)
    case 'replace':
      return Operation.replace(entity, condition)
    case 'delete':
      return Operation.delete(entity, condition)
    case 'insert':
      return Operation.insert(entity)
    case 'insertOrMerge':
      return Operation.insertOrMerge(entity)
    case 'insertOrReplace':
      return Operation.insertOrReplace(entity)
  }
}

function conditionOf(etag: string | undefined): { etag: string } | undefined {
  return etag === undefined ? undefined : { etag }
}

/** The condition of a write: only some take an ETag. */
export function modeOf(how: WriteKind, given: ETagMode): ETagMode {
  if (how === 'insert') return 'none'
  return how === 'insertOrMerge' || how === 'insertOrReplace' ? 'past' : given
}

/** What is said after a call in a program. */
export function fateOf({
  mishap,
  holds,
  retries,
}: Pick<WriteStep, 'mishap' | 'holds' | 'retries'>): string {
  const parts = [mishap === 'none' ? '' : mishap, holds ? 'waits' : '', retries ? 'retries' : '']
  const said = parts.filter((part) => part !== '').join(', ')
  return said === '' ? '' : ` // ${said}`
}
