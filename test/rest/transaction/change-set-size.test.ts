import { seededRandom } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import {
  type Change,
  changeBytes,
  changeSetLimits,
  deleteEntity,
  type Endpoint,
  type EntityWrite,
  endpointOf,
  entityGroupTransaction,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  retrieveEntity,
  updateEntity,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { exactService } from '../exact/exact-service.ts'
import { contoso, cosmos, emulator, etag } from '../people.ts'

const key = { partitionKey: "O'Neil", rowKey: '10 %' }
const changes = [
  { operation: insertEntity, input: { table: 'people', key, body: '{"PartitionKey":"Zoë"}' } },
  {
    operation: deleteEntity,
    input: { table: 'people', key: { ...key, rowKey: 'ö' }, body: '', etag },
  },
]

describe('the size of a change set', () => {
  it.each([
    ['Table storage', contoso, 4 * 1024 * 1024],
    ['Cosmos DB', cosmos, 2 * 1024 * 1024],
  ])('is the sum of its changes and its envelope, for %s', (_, endpoint, most) => {
    const { body = '' } = entityGroupTransaction.toRequest({ table: 'people', changes }, endpoint)
    const limits = changeSetLimits(endpoint)
    const bytes = changes.reduce((sum, change) => sum + changeBytes(change, endpoint), 0)
    expect(limits.envelope + bytes).toBe(Buffer.byteLength(body))
    expect(limits.bytes + limits.envelope).toBe(most)
    expect(limits.changes).toBe(100)
  })

  it('leaves room for the marker of an exact write', async () => {
    const service = await exactService()
    const { endpoint } = service.client()
    const limits = changeSetLimits(endpoint, true)
    expect(limits.changes).toBe(99)
    expect(limits.bytes + limits.envelope).toBe(4 * 1024 * 1024)
    // Every character takes three bytes.
    const key = { partitionKey: '中'.repeat(512), rowKey: 'Jeff' }
    const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey })
    const insert = { operation: insertEntity, input: { table: 'people', key, body } }
    await perform(service.client(), insertEntity, insert.input)
    const sent = Buffer.byteLength(service.requests.at(-1)?.body ?? '')
    expect(sent).toBeGreaterThan(512 * 3 * 2)
    expect(sent).toBeLessThanOrEqual(limits.envelope + changeBytes(insert, endpoint))
  })

  it('is not counted of a change that cannot be sent', () => {
    const bad = {
      operation: insertEntity,
      input: { table: 'people', key: { partitionKey: 'a/b', rowKey: '' }, body: '{}' },
    }
    expect(() => changeBytes(bad, contoso)).toThrow(/PartitionKey/)
  })
})

const OPERATIONS: readonly Change['operation'][] = [
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  updateEntity,
]
const ENDPOINTS: readonly Endpoint[] = [
  contoso,
  emulator,
  cosmos,
  endpointOf('http://127.0.0.1:8902/küche', { account: 'cosmos', flavour: 'cosmos' }),
]

/** The bytes of a transaction of one change, as it is sent. */
function bytesSent(change: Change, endpoint: Endpoint): number {
  const changeSet = { table: change.input.table, changes: [change] }
  const { body = '' } = entityGroupTransaction.toRequest(changeSet, endpoint)
  return Buffer.byteLength(body)
}

const PIECES = ['a', 'Z', '0', '-', '_', '~', ' ', "'", '%', '%25', '&', '+', 'ö', '中', '😀', '(']

/** A write whose table, key, body and ETag are random. */
function randomWrite(random: () => number, { flavour }: Endpoint): EntityWrite {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const text = (): string =>
    `k${Array.from({ length: Math.floor(random() * 8) }, () => pick(PIECES)).join('')}`
  const key = { partitionKey: text(), rowKey: text() }
  const body = JSON.stringify({ PartitionKey: key.partitionKey, RowKey: key.rowKey, note: text() })
  const conditions = [etag, '*', 'W/"1"', '"a longer ETag, as proxies make them"']
  const names = flavour === 'cosmos' ? ['people', "a table's (name)", 'küche'] : ['people', 'a1B2']
  return { table: pick(names), key, body, etag: pick(conditions), echo: pick([true, false]) }
}

describe('the bytes of a change', () => {
  it.each(OPERATIONS)(
    'are those of $name as it is sent, for every kind of account',
    (operation) => {
      const key = { partitionKey: "O'Neil", rowKey: '10 % ö中😀' }
      const body = '{"PartitionKey":"Zoë"}'
      for (const endpoint of ENDPOINTS) {
        const { envelope } = changeSetLimits(endpoint)
        for (const echo of [undefined, false, true]) {
          const change = { operation, input: { table: 'people', key, body, etag, echo } }
          expect(changeBytes(change, endpoint) + envelope).toBe(bytesSent(change, endpoint))
        }
      }
    },
  )

  longTest('are those that are sent, for random tables, keys, bodies and ETags', () => {
    const random = seededRandom(13)
    for (const endpoint of ENDPOINTS) {
      const { envelope } = changeSetLimits(endpoint)
      for (const operation of OPERATIONS) {
        for (let i = 0; i < 200; i++) {
          const change = { operation, input: randomWrite(random, endpoint) }
          expect(changeBytes(change, endpoint) + envelope, JSON.stringify(change.input)).toBe(
            bytesSent(change, endpoint),
          )
        }
      }
    }
  })

  const good: EntityWrite = { table: 'people', key, body: '{"PartitionKey":"a"}', etag }
  it.each<[string, Partial<EntityWrite>]>([
    ['a table without a valid name', { table: 'a/b' }],
    ['a PartitionKey with a slash', { key: { partitionKey: 'a/b', rowKey: '' } }],
    ['a RowKey with a lone surrogate', { key: { partitionKey: 'a', rowKey: '\ud800' } }],
    ['no ETag', { etag: undefined }],
    ['an ETag that no header can contain', { etag: 'ö' }],
  ])('are not counted of a change with %s', (_, fault) => {
    const change = { operation: updateEntity, input: { ...good, ...fault } }
    for (const endpoint of [contoso, cosmos]) {
      const strict = withChecks(endpoint, 'before sending')
      expect(() => changeBytes(change, strict)).toThrow(InputError)
    }
  })

  it.each([
    ['a name that Cosmos DB reserves', { body: '{"id":"a"}' }],
    ['a value that is too large', { body: JSON.stringify({ text: 'ö'.repeat(40_000) }) }],
    ['too many properties', { body: bodyOf(300, 'a') }],
    ['an entity that is too large', { body: bodyOf(20, 'a'.repeat(27_000)) }],
  ])('are counted of an entity with %s only where the service checks it', (_, fault) => {
    const change = { operation: insertEntity, input: { ...good, ...fault } }
    const checked = [contoso, cosmos].map((each) => withChecks(each, 'before sending'))
    const rejecting = checked.filter(
      (each) => outcome(() => changeBytes(change, each)) === 'rejected',
    )
    expect(rejecting).not.toEqual([])
    for (const endpoint of rejecting) {
      expect(changeBytes(change, withChecks(endpoint, 'by the service'))).toBeGreaterThan(0)
    }
  })
})

function bodyOf(count: number, text: string): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, text])),
  )
}

/** Counts the bytes; `rejected` when the change is invalid. */
function outcome(count: () => number): unknown {
  try {
    return count()
  } catch (error) {
    if (error instanceof InputError) return 'rejected'
    throw error
  }
}

const TEXTS = [
  ['', 0],
  ['abc', 3],
  ['äé', 4],
  ['€', 3],
  ['😀', 4],
  ['\ud800', 3],
] as const

it.each(['with', 'without'])('counts the bytes of UTF-8 %s a Buffer', async (buffer) => {
  if (buffer === 'without') vi.stubGlobal('Buffer', undefined)
  vi.resetModules()
  const { utf8Length } = await import('../../../packages/rest/src/transaction/change-set-size.ts')
  vi.unstubAllGlobals()
  for (const [text, length] of TEXTS) expect(utf8Length(text), text).toBe(length)
})
