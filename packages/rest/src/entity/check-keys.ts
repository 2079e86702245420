import type { EntityKey, RawEntity } from '@rowkey/odata'
import { DecodeError } from '@rowkey/odata'
import { redact } from '../http/redact.ts'

/** What is known of an entity before the answer comes. */
export interface ExpectedEntity {
  /** Its keys; absent when any entity may come. */
  readonly key?: EntityKey | undefined
  /** The projection, which may leave the keys out; all properties when absent or empty. */
  readonly select?: readonly string[] | undefined
  /** Whether the operation was a write, which the status says was done. */
  readonly mayHaveApplied: boolean
}

/**
 * Refuses JSON that is no entity, or another one than was meant: every entity has its two keys, which
 * are strings, and only a projection leaves them out.
 *
 * @param operation - the operation's name, for the message
 * @param raw - the JSON object that came
 * @param expected - what is known of the entity
 * @throws {@link DecodeError} that says what was found
 */
export function checkKeys(operation: string, raw: RawEntity, expected: ExpectedEntity): void {
  const { key, select, mayHaveApplied } = expected
  const isProjected = select !== undefined && select.length > 0
  const wrong =
    wrongIn('PartitionKey', raw.PartitionKey, key?.partitionKey, isProjected) ??
    wrongIn('RowKey', raw.RowKey, key?.rowKey, isProjected)
  if (wrong === undefined) return
  const doubt = mayHaveApplied ? ' The write may have been applied.' : ''
  throw new DecodeError({
    message: `${operation} was answered with ${wrong}. Is the endpoint right, and no proxy answering in its place?${doubt}`,
    mayHaveApplied,
  })
}

function wrongIn(
  name: 'PartitionKey' | 'RowKey',
  found: unknown,
  asked: string | undefined,
  isProjected: boolean,
): string | undefined {
  if (found === undefined && isProjected) return undefined
  if (typeof found !== 'string') {
    const what = found === undefined ? 'is missing' : `is ${kindOf(found)}, not a string`
    return `JSON that is no entity: its ${name} ${what}`
  }
  if (asked === undefined || found === asked) return undefined
  return `another entity: its ${name} is ${shown(found)} in place of ${shown(asked)}`
}

function kindOf(found: unknown): string {
  return found === null ? 'null' : `of type ${typeof found}`
}

const LONGEST_SHOWN = 200

function shown(key: string): string {
  return JSON.stringify(redact(key).slice(0, LONGEST_SHOWN))
}
