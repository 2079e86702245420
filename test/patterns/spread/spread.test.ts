import { defineEntity, key } from '@rowkey/mapper'
import { adviseKeys, bucketOf, bucketsOf, mergeSorted } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEmployee, office } from '../employees.ts'

const Log = defineEntity({
  name: 'logs',
  partitionKey: key`${'day:date'}_${'bucket:2'}`,
  rowKey: key`${'at:inverted'}_${'id'}`,
  schema: z.object({ day: z.date(), bucket: z.int(), at: z.date(), id: z.string() }),
})

const today = new Date(Date.UTC(2026, 10, 20))

describe('bucketOf', () => {
  it('R-158: gives equal texts equal buckets, in every version', () => {
    const texts = ['a', 'b', 'employee 456']
    expect(texts.map((text) => bucketOf(text, 16))).toEqual([0, 3, 7])
  })

  it.each([2, 7, 16, 100])('R-158: spreads ids over %i buckets evenly', (count) => {
    const sizes = bucketsOf(count).map(() => 0)
    for (let id = 0; id < count * 1_000; id++) sizes[bucketOf(`id-${id}`, count)]! += 1
    expect(Math.min(...sizes)).toBeGreaterThan(850)
    expect(Math.max(...sizes)).toBeLessThan(1_150)
  })

  it.each([0, 1.5, 1_001, Number.NaN])('rejects %d buckets', (count) => {
    expect(() => bucketOf('a', count)).toThrow(/number of buckets/)
    expect(() => bucketsOf(count)).toThrow(/number of buckets/)
  })
})

describe('mergeSorted', () => {
  it('R-158: reads all buckets at once and merges their rows by RowKey', async () => {
    const { account } = office()
    const logs = account.table(Log)
    await logs.create()
    const rows = Array.from({ length: 40 }, (_, minute) => {
      const id = `id-${minute}`
      const at = new Date(today.getTime() + minute * 60_000)
      return { day: today, bucket: bucketOf(id, 4), at, id }
    })
    await logs.bulk().insert(rows)
    const queries = bucketsOf(4).map((bucket) => logs.query().where({ day: today, bucket }))
    const found: string[] = []
    for await (const { id } of mergeSorted(queries, (one, other) => +other.at - +one.at)) {
      found.push(id)
      if (found.length === 30) break
    }
    expect(found).toEqual(Array.from({ length: 30 }, (_, at) => `id-${39 - at}`))
  })

  it('R-158: queries all buckets in parallel: each begins before the first responds', async () => {
    const begun: string[] = []
    let respond = (): void => {}
    const responses = new Promise<void>((resolve) => {
      respond = resolve
    })
    async function* of(bucket: string) {
      begun.push(bucket)
      if (begun.length === 3) respond()
      await responses
      yield `${bucket}1`
    }
    const merged: string[] = []
    const buckets = ['c', 'a', 'b'].map(of)
    for await (const row of mergeSorted(buckets, (one, other) => (one < other ? -1 : 1)))
      merged.push(row)
    expect([begun, merged]).toEqual([
      ['c', 'a', 'b'],
      ['a1', 'b1', 'c1'],
    ])
  })

  it('keeps the order of the sources for equal rows, and accepts none', async () => {
    async function* of(...rows: string[]) {
      yield* rows
    }
    const byFirst = (one: string, other: string) => one.charCodeAt(0) - other.charCodeAt(0)
    const merged: string[] = []
    for await (const row of mergeSorted([of('a1', 'b1'), of('a2', 'c2'), of()], byFirst)) {
      merged.push(row)
    }
    expect(merged).toEqual(['a1', 'a2', 'b1', 'c2'])
    for await (const row of mergeSorted<string>([], byFirst)) merged.push(row)
    expect(merged).toHaveLength(4)
  })

  it('ends all sources when the loop ends early, and when one of them fails', async () => {
    const ended: string[] = []
    async function* of(name: string, fails = false) {
      try {
        for (let n = 0; ; n++) {
          if (fails && n === 3) throw new TypeError('broken')
          yield n
        }
      } finally {
        ended.push(name)
      }
    }
    const compare = (one: number, other: number) => one - other
    for await (const row of mergeSorted([of('a'), of('b')], compare)) if (row === 2) break
    expect(ended.sort()).toEqual(['a', 'b'])
    const failing = async () => {
      for await (const _ of mergeSorted([of('c'), of('d', true)], compare));
    }
    await expect(failing()).rejects.toThrow('broken')
    expect(ended.sort()).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('adviseKeys', () => {
  const define = (partitionKey: object, rowKey: object = key`${'id'}`) =>
    defineEntity({
      name: 'things',
      partitionKey: partitionKey as never,
      rowKey: rowKey as never,
      schema: z.object({ day: z.date(), id: z.string(), bucket: z.int() }),
    })
  const kinds = (model: Parameters<typeof adviseKeys>[0]) =>
    adviseKeys(model).map(({ kind }) => kind)

  it('R-158, R-165: warns of a PartitionKey that is only time, and accepts one with a bucket', () => {
    expect(kinds(define(key`${'day:date'}`))).toEqual(['timePartition'])
    expect(kinds(define(key`${'day:inverted'}`))).toEqual(['timePartition'])
    expect(kinds(define(key`${'day:date'}_${'bucket:2'}`))).toEqual([])
  })

  it('R-167: warns of one partition for all rows, and of one row in each partition', () => {
    expect(kinds(define(key`all`))).toEqual(['onePartition'])
    expect(kinds(define(key`${'id'}`, key`row`))).toEqual(['rowPerPartition'])
    expect(kinds(defineEmployee())).toEqual([])
  })

  it('R-167: names the queries that read more than they return', () => {
    const query = office().account.table(Log).query()
    const advice = adviseKeys(Log, [
      query.where({ day: today, bucket: 1, at: today, id: 'a' }).explain(),
      query.where({ day: today, bucket: 1 }).explain(),
      query.explain(),
    ])
    expect(advice.map(({ message }) => message)).toEqual([
      expect.stringContaining("(PartitionKey eq '2026-11-20_01') reads a whole partition"),
      expect.stringContaining('The query (no filter) reads the whole table'),
    ])
  })
})
