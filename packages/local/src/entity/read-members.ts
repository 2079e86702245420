import { parseEntityJson } from '@rowkey/odata'
import { Rejection } from '../rejection/rejection.ts'
import { endOfString } from './entity-text.ts'

/** The JSON object in a request body: whole Doubles are annotated, and each member is unique. */
export type BodyMembers = Readonly<Record<string, unknown>>

/**
 * Reads a request body that must be one JSON object.
 *
 * @throws Rejection InvalidInput, or for a duplicate member
 */
export function readMembers(body: string): BodyMembers {
  const members = parseJson(body)
  if (typeof members !== 'object' || members === null || Array.isArray(members)) {
    throw new Rejection('InvalidInput', {
      text: 'The request body must be one JSON object.',
    })
  }
  checkDistinctMembers(body)
  return members as BodyMembers
}

function parseJson(body: string): unknown {
  try {
    return parseEntityJson(body)
  } catch (cause) {
    throw new Rejection('InvalidInput', {
      text: 'An error occurred while processing this request.',
      cause,
    })
  }
}

const COLON = 0x3a
const SPACE = 0x20

/**
 * Rejects JSON with a duplicate member; `JSON.parse` would keep the last one without an error.
 *
 * It looks only at strings that a colon follows, so the text must be valid JSON. Members of nested
 * objects count as members of the outer one; entities have none.
 *
 * @throws Rejection DuplicatePropertiesSpecified, or DuplicateKeyPropertySpecified
 */
export function checkDistinctMembers(json: string): void {
  const names = new Set<string>()
  let start = json.indexOf('"')
  while (start >= 0) {
    const end = endOfString(json, start)
    if (json.charCodeAt(skipBlanks(json, end)) === COLON) {
      addName(names, json.slice(start, end))
    }
    start = json.indexOf('"', end)
  }
}

function addName(names: Set<string>, literal: string): void {
  const name: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
  if (names.has(name)) {
    const isKey = name === 'PartitionKey' || name === 'RowKey'
    throw new Rejection(isKey ? 'DuplicateKeyPropertySpecified' : 'DuplicatePropertiesSpecified')
  }
  names.add(name)
}

function skipBlanks(json: string, from: number): number {
  let at = from
  while (at < json.length && json.charCodeAt(at) <= SPACE) at += 1
  return at
}
