import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { EntityNotFoundError, type ReadResult, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import {
  byCondition,
  hasSameContent,
  holdsContent,
  isOlder,
  judgeDeletion,
  judgeMerge,
  judgeReplacement,
  reconciliationBy,
  settleDeletion,
  settleInsert,
} from '../../../packages/rest/src/reconcile/reconcile-entity.ts'
import { etag, jeff } from '../people.ts'
import { aWitness, refusalOf, storedBefore, storedLately } from './a-witness.ts'

describe('reconciliationBy', () => {
  it('judges what the witness reads', async () => {
    const witness = aWitness(storedLately({}))
    const seen: unknown[] = []
    const { resolve } = reconciliationBy((...evidence) => {
      seen.push(...evidence)
      return 'applied'
    })
    expect(await resolve?.(jeff, witness)).toBe('applied')
    expect(seen).toEqual([jeff, storedLately({}), witness.since])
  })

  it("does not report applied without the service's clock", async () => {
    const { resolve } = reconciliationBy(() => 'applied')
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await resolve?.(jeff, undated)).toBe('unknown')
    expect(await resolve?.(jeff, { ...aWitness(undefined), isDated: false })).toBe('applied')
  })

  it("reports not applied also without the service's clock", async () => {
    const { resolve } = reconciliationBy(judgeReplacement)
    const undated = { ...aWitness(storedBefore({})), isDated: false }
    expect(await resolve?.(jeff, undated)).toBe('not applied')
  })

  it('settles only with the given function', () => {
    const judge = () => 'unknown' as const
    expect(reconciliationBy(judge, settleDeletion).settle).toBe(settleDeletion)
    expect(reconciliationBy(judge)).not.toHaveProperty('settle')
  })
})

const SINCE = Date.UTC(2026, 10, 20, 12)
const OLD = '2026-11-20T11:59:59.9999999Z'
const NEW = '2026-11-20T12:00:00Z'

const found = (timestamp: string, more: object = {}): ReadResult => ({
  raw: { PartitionKey: 'Smith', RowKey: 'Jeff', Timestamp: timestamp, ...more },
  etag: 'W/"1"',
})

describe('isOlder', () => {
  it('compares the Timestamp; an entity without one is not older', () => {
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

  it('do not decide when they find other content', () => {
    const write = { ...jeff, body: '{"n":2}' }
    expect(judgeReplacement(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
    expect(judgeMerge(write, found(NEW, { n: 1 }), SINCE)).toBe('unknown')
  })
})

describe('byCondition', () => {
  const judge = byCondition(judgeReplacement)
  const given = (etag: string) => ({ ...jeff, etag })

  it("uses the judge for the ETag '*'", () => {
    expect(judge(given('*'), found(NEW), SINCE)).toBe('applied')
    expect(judge(given('*'), undefined, SINCE)).toBe('not applied')
  })

  it('never says that a write with an ETag was applied', () => {
    expect(judge(given('W/"0"'), found(NEW), SINCE)).toBe('unknown')
    expect(judge(given('W/"0"'), undefined, SINCE)).toBe('unknown')
  })

  it('says not applied when the ETag is unchanged, or the entity is older', () => {
    expect(judge(given('W/"1"'), found(NEW), SINCE)).toBe('not applied')
    expect(judge(given('W/"0"'), found(OLD), SINCE)).toBe('not applied')
  })
})

const conflict = refusalOf(409, 'EntityAlreadyExists')
const unknown = { outcome: 'unknown' }

describe('settleInsert', () => {
  it('rejects because of an entity that is older than the call', async () => {
    const settlement = await settleInsert(conflict, jeff, aWitness(storedBefore({})))
    expect(settlement).toEqual({ outcome: 'rejected', error: conflict })
  })

  it('treats the same content, stored since, as its own', async () => {
    expect(await settleInsert(conflict, jeff, aWitness(storedLately({})))).toEqual({
      outcome: 'applied',
      output: { etag: 'W/"1"', etagIsOwn: false },
    })
  })

  it("decides nothing by the same content without the service's clock", async () => {
    const undated = { ...aWitness(storedLately({})), isDated: false }
    expect(await settleInsert(conflict, jeff, undated)).toEqual(unknown)
  })

  it('returns the entity with echo', async () => {
    const echo = { ...jeff, echo: true }
    const { raw } = storedLately({})
    expect(await settleInsert(conflict, echo, aWitness(storedLately({})))).toMatchObject({
      output: { raw },
    })
  })

  it('decides nothing when other content was stored since', async () => {
    expect(await settleInsert(conflict, jeff, aWitness(storedLately({ n: 1 })))).toEqual(unknown)
  })

  it('decides nothing by another error, or when the entity is missing', async () => {
    const other = refusalOf(404, 'TableNotFound')
    expect(await settleInsert(other, jeff, aWitness(storedLately({})))).toEqual(unknown)
    expect(await settleInsert(conflict, jeff, aWitness(undefined))).toEqual(unknown)
  })
})

const gone = new EntityNotFoundError(refusalOf(404, 'ResourceNotFound'))
const noTable = new TableNotFoundError(refusalOf(404, 'TableNotFound'))

describe('settleDeletion', () => {
  it('treats a missing entity as deleted', () => {
    expect(settleDeletion(gone, { ...jeff, etag: '*' })).toEqual({ outcome: 'applied', output: {} })
  })

  it('decides nothing for a delete with an ETag, or when the table is missing', () => {
    expect(settleDeletion(gone, { ...jeff, etag })).toEqual({ outcome: 'unknown' })
    expect(settleDeletion(noTable, { ...jeff, etag: '*' })).toEqual({ outcome: 'unknown' })
  })
})

const KEYS = '"PartitionKey":"a","RowKey":"b"'
const sent = (members: string) => `{${KEYS}${members && `,${members}`}}`
const stored = (members: string) =>
  parseEntityJson(
    `{"odata.etag":"W/\\"x\\"",${KEYS},"Timestamp":"2026-11-20T12:00:00Z"${members && `,${members}`}}`,
  ) as RawEntity

describe('hasSameContent', () => {
  it.each([
    ['nothing but keys', '', ''],
    ['the same text', '"s":"x"', '"s":"x"'],
    ['another order', '"s":"x","n":1', '"n":1,"s":"x"'],
    ['a null that is not stored', '"s":"x","gone":null', '"s":"x"'],
    ['a Timestamp that the service makes itself', '"Timestamp":"2001-01-01T00:00:00Z"', ''],
    ['a type that goes without saying', '"n":1,"n@odata.type":"Edm.Int32"', '"n":1'],
    ['a whole Double', '"d":3,"d@odata.type":"Edm.Double"', '"d":3.0'],
    ['an Int64', '"i@odata.type":"Edm.Int64","i":"5"', '"i@odata.type":"Edm.Int64","i":"5"'],
    [
      'a DateTime with other digits',
      '"t@odata.type":"Edm.DateTime","t":"2026-11-20T12:00:00.500Z"',
      '"t@odata.type":"Edm.DateTime","t":"2026-11-20T12:00:00.5Z"',
    ],
    [
      'a Guid in another case',
      '"g@odata.type":"Edm.Guid","g":"C9DA6455-213D-42C9-9A79-3E9149A57833"',
      '"g@odata.type":"Edm.Guid","g":"c9da6455-213d-42c9-9a79-3e9149a57833"',
    ],
  ])('accepts the same content: %s', (_, given, found) => {
    expect(hasSameContent(sent(given), stored(found))).toBe(true)
    expect(holdsContent(sent(given), stored(found))).toBe(true)
  })

  it.each([
    ['another value', '"n":1', '"n":2'],
    ['another type', '"n":1', '"n":1.0'],
    ['text in place of a number', '"i@odata.type":"Edm.Int64","i":"5"', '"i":"5"'],
    ['another name', '"n":1', '"N":1'],
    ['a property that is missing', '"n":1,"m":1', '"n":1'],
  ])('rejects %s', (_, given, found) => {
    expect(hasSameContent(sent(given), stored(found))).toBe(false)
    expect(holdsContent(sent(given), stored(found))).toBe(false)
  })

  it('accepts another property, which a merge keeps', () => {
    expect(hasSameContent(sent('"n":1'), stored('"n":1,"m":1'))).toBe(false)
    expect(holdsContent(sent('"n":1'), stored('"n":1,"m":1'))).toBe(true)
  })

  it.each(['', 'x', 'null', '{"d@odata.type":"Edm.Double","d":"x"}'])(
    'rejects %j, which is not an entity',
    (body) => {
      expect(hasSameContent(body, stored(''))).toBe(false)
      expect(holdsContent(body, stored(''))).toBe(false)
    },
  )
})
