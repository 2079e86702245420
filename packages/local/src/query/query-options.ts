import { decodeBase64UrlText, encodeBase64UrlText } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { Rejection } from '../rejection/rejection.ts'
import type { QueryParameters } from '../request/query-parameters.ts'

const TOKEN = /^1!\d+!([A-Za-z0-9+/]*)-{0,2}$/

/**
 * Prints the UTF-8 of a text in base64, as it is in continuation tokens.
 *
 * @param padding - fills up the last four characters
 */
export function printBase64(text: string, padding: '-' | '='): string {
  const base64 = encodeBase64UrlText(text).replaceAll('-', '+').replaceAll('_', '/')
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, padding)
}

/** Reads the text of base64 without padding; `undefined` for anything else. */
export function parseBase64(base64: string): string | undefined {
  return decodeBase64UrlText(base64.replaceAll('+', '-').replaceAll('/', '_'))
}

/**
 * Prints one part of a continuation token in the service's own form. It has a version, the length of the
 * rest, and the UTF-8 of the text in base64 with `-` for `=`.
 */
export function printTokenPart(text: string): string {
  const encoded = printBase64(text, '-')
  return `1!${encoded.length}!${encoded}`
}

/**
 * Reads the text of a part.
 *
 * @throws Rejection InvalidInput for anything that {@link printTokenPart} cannot have printed
 */
export function parseTokenPart(part: string): string {
  const text = parseBase64(TOKEN.exec(part)?.[1] ?? '?')
  if (text === undefined || printTokenPart(text) !== part) {
    throw new Rejection('InvalidInput', { text: 'The continuation token is not valid.' })
  }
  return text
}

/** The most rows or tables in one page. */
const MAX_PAGE_LENGTH = 1000

/** The most names in one `$select`. */
const MAX_SELECTED = 255

const NOT_IMPLEMENTED: ReadonlySet<string> = new Set([
  '$count',
  '$expand',
  '$inlinecount',
  '$orderby',
  '$search',
  '$skip',
  '$skiptoken',
])
const IMPLEMENTED: ReadonlySet<string> = new Set(['$filter', '$format', '$select', '$top'])

/**
 * Rejects the OData options that the service does not have.
 *
 * @throws Rejection NotImplemented, or InvalidInput for an unknown option
 */
export function checkQueryOptions(query: QueryParameters): void {
  for (const name of query.keys()) {
    if (!name.startsWith('$') || IMPLEMENTED.has(name)) continue
    throw NOT_IMPLEMENTED.has(name)
      ? new Rejection('NotImplemented')
      : new Rejection('InvalidInput', { text: `The query option '${name}' is unknown.` })
  }
}

/**
 * Reads how many rows the page may contain: `$top`, or the maximum.
 *
 * @throws Rejection InvalidInput
 */
export function pageLength(query: QueryParameters, flavour?: Flavour): number {
  const top = query.get('$top')
  if (top === undefined) return MAX_PAGE_LENGTH
  // Azure Storage Explorer asks for 0 rows. The page is empty, and the last.
  const length = /^\d{1,4}$/.test(top) ? Number(top) : Number.NaN
  // Cosmos DB lets a page have more than that.
  if (flavour === 'cosmos' && !Number.isNaN(length)) return length
  if (length <= MAX_PAGE_LENGTH) return length
  throw new Rejection('InvalidInput')
}

/**
 * Reads the properties that `$select` names; `undefined` for all. Control information such as
 * `odata.etag` is left out, because the metadata level decides about it.
 *
 * @throws Rejection InvalidInput
 */
export function selectedNames(select: string | undefined): ReadonlySet<string> | undefined {
  if (select === undefined || select.trim() === '') return undefined
  const names = new Set(select.split(',').map((name) => name.trim()))
  if (names.has('*')) return undefined
  if (names.has('') || names.size > MAX_SELECTED) {
    throw new Rejection('InvalidInput', {
      text: `The $select must hold 1 to ${MAX_SELECTED} names, none of them empty.`,
    })
  }
  return new Set([...names].filter((name) => !name.includes('odata.')))
}
