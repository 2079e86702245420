import type { EntityKey } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'

/** What a path names. */
export type Resource =
  | { readonly kind: 'account' }
  | { readonly kind: 'batch' }
  | { readonly kind: 'tables' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'entities'; readonly table: string }
  | { readonly kind: 'entity'; readonly table: string; readonly key: EntityKey }

const NAME_AND_PREDICATE = /^([^()]+)(?:\((.*)\))?$/su
const LITERAL = `'((?:[^']|'')*)'`
const TABLE_KEY = new RegExp(`^\\s*${LITERAL}\\s*$`, 'su')
const ENTITY_KEY = new RegExp(
  `^\\s*(PartitionKey|RowKey)\\s*=\\s*${LITERAL}\\s*,\\s*(PartitionKey|RowKey)\\s*=\\s*${LITERAL}\\s*$`,
  'su',
)
const PART_OF_KEY = new RegExp(`^\\s*(?:(?:PartitionKey|RowKey)\\s*=\\s*)?${LITERAL}\\s*$`, 'su')

/**
 * Parses the path below the account.
 *
 * @param path - percent-encoded, begins with `/`
 * @throws Rejection InvalidUri, or InvalidInput for one key instead of two
 */
export function routeResource(path: string): Resource {
  if (path === '/') return { kind: 'account' }
  const segment = path.slice(1)
  if (segment.includes('/')) throw new Rejection('InvalidUri')
  const text = decodeSegment(segment)
  if (text === '$batch') return { kind: 'batch' }
  const [, name, predicate] = NAME_AND_PREDICATE.exec(text) ?? []
  if (name === undefined) throw new Rejection('InvalidUri')
  return name.toLowerCase() === 'tables' ? routeTable(predicate) : routeEntity(name, predicate)
}

function routeTable(predicate: string | undefined): Resource {
  if (predicate === undefined || predicate.trim() === '') return { kind: 'tables' }
  const literal = TABLE_KEY.exec(predicate)?.[1]
  if (literal === undefined) throw new Rejection('InvalidUri')
  return { kind: 'table', table: unquote(literal) }
}

function routeEntity(table: string, predicate: string | undefined): Resource {
  if (predicate === undefined || predicate.trim() === '') return { kind: 'entities', table }
  const [, first, firstText, second, secondText] = ENTITY_KEY.exec(predicate) ?? []
  if (PART_OF_KEY.test(predicate)) {
    throw new Rejection('InvalidInput', {
      text: `The number of keys specified in the URI does not match number of key properties for the resource '${table}'.`,
    })
  }
  if (firstText === undefined || secondText === undefined || first === second) {
    throw new Rejection('InvalidUri')
  }
  const [partitionKey, rowKey] =
    first === 'PartitionKey' ? [firstText, secondText] : [secondText, firstText]
  return {
    kind: 'entity',
    table,
    key: { partitionKey: unquote(partitionKey), rowKey: unquote(rowKey) },
  }
}

function unquote(literal: string): string {
  return literal.replaceAll("''", "'")
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (cause) {
    throw new Rejection('InvalidUri', { cause })
  }
}
