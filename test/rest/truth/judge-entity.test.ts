import type { ReadResult } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  byCondition,
  isOlder,
  judgeDeletion,
  judgeMerge,
  judgeReplacement,
} from '../../../packages/rest/src/truth/judge-entity.ts'
import { jeff } from '../people.ts'

const SINCE = Date.UTC(2026, 10, 20, 12)
const OLD = '2026-11-20T11:59:59.9999999Z'
const NEW = '2026-11-20T12:00:00Z'

const found = (timestamp: string, more: object = {}): ReadResult => ({
  raw: { PartitionKey: 'Smith', RowKey: 'Jeff', Timestamp: timestamp, ...more },
  etag: 'W/"1"',
})

describe('isOlder', () => {
  it('compares the Timestamp, and takes an entity without one for new', () => {
    expect(isOlder(found(OLD), SINCE)).toBe(true)
    expect(isOlder(found(NEW), SINCE)).toBe(false)
    expect(isOlder({ raw: {} }, SINCE)).toBe(false)
  })
})

describe('judges', () => {
  it.each([
    ['nothing', undefined, 'not applied', 'not applied', 'applied'],
    ['what was there before', found(OLD), 'not applied', 'not applied', 'not applied'],
    ['the same, written since', found(NEW), 'applied', 'applied', 'unknown'],
    ['more, written since', found(NEW, { n: 1 }), 'unknown', 'applied', 'unknown'],
  ] as const)('finding %s', (_, stored, replacement, merge, deletion) => {
    expect(judgeReplacement(jeff, stored, SINCE)).toBe(replacement)
    expect(judgeMerge(jeff, stored, SINCE)).toBe(merge)
    expect(judgeDeletion(jeff, stored, SINCE)).toBe(deletion)
  })

  it('finding something else, know nothing', () => {
    const write = { ...jeff, body: '{"n":2}' }
    expect(judgeReplacement(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
    expect(judgeMerge(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
  })
})

describe('byCondition', () => {
  const judge = byCondition(judgeReplacement)
  const given = (etag: string) => ({ ...jeff, etag })

  it("asks the judge where the ETag is '*'", () => {
    expect(judge(given('*'), found(NEW), SINCE)).toBe('applied')
    expect(judge(given('*'), undefined, SINCE)).toBe('not applied')
  })

  it('never says that a write by an ETag was applied', () => {
    expect(judge(given('W/"0"'), found(NEW), SINCE)).toBe('unknown')
    expect(judge(given('W/"0"'), undefined, SINCE)).toBe('unknown')
  })

  it('knows that it was not where the ETag is still there, or another that is old', () => {
    expect(judge(given('W/"1"'), found(NEW), SINCE)).toBe('not applied')
    expect(judge(given('W/"0"'), found(OLD), SINCE)).toBe('not applied')
  })
})
