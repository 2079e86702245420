import { ServiceFault } from '../fault/service-fault.ts'

const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20

/**
 * Refuses JSON that names a member twice; `JSON.parse` would silently keep the last.
 *
 * Looks only at strings that a colon follows, so it may be given nothing but text that
 * `JSON.parse` has accepted. It reads nested objects as part of the outer one, which an entity
 * never has.
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
    throw new ServiceFault(isKey ? 'DuplicateKeyPropertySpecified' : 'DuplicatePropertiesSpecified')
  }
  names.add(name)
}

/** Where the string that begins at `start` has ended: one past its closing quote. */
function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1)
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}

function skipBlanks(json: string, from: number): number {
  let at = from
  while (at < json.length && json.charCodeAt(at) <= SPACE) at += 1
  return at
}
