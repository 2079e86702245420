import { connect, defineEntity, fromPlain, key, SchemaError, toPlain } from 'rowkey'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})
const noon = new Date('2026-11-22T12:00:00Z')
const midnight = new Date('2026-11-23T00:00:00Z')
const keys = { name: 'meetings', partitionKey: key`${'p'}`, rowKey: key`${'r'}` } as const

const Meeting = defineEntity({
  ...keys,
  schema: z.object({
    p: z.string(),
    r: z.string(),
    at: isoDate.optional(),
    isOpen: z.stringbool().default(true),
    big: z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String }).optional(),
    plan: z
      .object({
        at: isoDate,
        tries: z.number().default(3),
        stops: z.array(z.object({ at: isoDate.nullable(), name: z.string().trim() })).default([]),
        by: z.record(z.string(), isoDate).optional(),
        how: z
          .discriminatedUnion('kind', [
            z.object({ kind: z.literal('on'), day: isoDate }),
            z.object({ kind: z.literal('off') }),
          ])
          .optional(),
      })
      .optional(),
  }),
})

async function freshMeetings() {
  const account = connect('memory:')
  onTestFinished(() => account.close())
  const meetings = account.table(Meeting)
  await meetings.create()
  const stored = async () => {
    const { properties } = await account.table('meetings').get(['a', '1'])
    return Object.fromEntries([...properties].map(([name, { value }]) => [name, value]))
  }
  return { account, meetings, stored }
}

describe('a codec', () => {
  it('R-69: is encoded on write and decoded on read, at the top and inside JSON', async () => {
    const { meetings, stored } = await freshMeetings()
    const plan = {
      at: noon,
      stops: [
        { at: midnight, name: ' b ' },
        { at: null, name: 'c' },
      ],
      by: { ann: noon },
      how: { kind: 'on' as const, day: midnight },
    }
    const written = await meetings.insert({ p: 'a', r: '1', at: noon, big: 5n, plan })
    expect(await stored()).toEqual({
      at: '2026-11-22T12:00:00.000Z',
      isOpen: 'true',
      big: '5',
      plan:
        '{"at":"2026-11-22T12:00:00.000Z","tries":3,"stops":[{"at":"2026-11-23T00:00:00.000Z","name":"b"},' +
        '{"at":null,"name":"c"}],"by":{"ann":"2026-11-22T12:00:00.000Z"},"how":{"kind":"on","day":"2026-11-23T00:00:00.000Z"}}',
    })
    const shown = {
      ...plan,
      tries: 3,
      stops: [
        { at: midnight, name: 'b' },
        { at: null, name: 'c' },
      ],
    }
    const read = await meetings.get({ p: 'a', r: '1' })
    expect(read).toEqual({ p: 'a', r: '1', at: noon, isOpen: true, big: 5n, plan: shown })
    expect(written).toEqual(read)
  })

  it('leaves what is stored alone while its property is unchanged', async () => {
    const { account, meetings, stored } = await freshMeetings()
    const plan = '{ "at": "2026-11-22T12:00:00Z", "other": 1 }'
    const row = { partitionKey: 'a', rowKey: '1', at: '2026-11-22T12:00:00Z', plan }
    await account.table('meetings').insert(row)
    const read = await meetings.get({ p: 'a', r: '1' })
    expect(read).toMatchObject({ at: noon, isOpen: true, plan: { at: noon, tries: 3, stops: [] } })
    await meetings.merge(read)
    await meetings.replace(read)
    expect(await stored()).toEqual({ at: '2026-11-22T12:00:00Z', isOpen: 'true', plan })
    if (read.plan !== undefined) read.plan.tries = 4
    await meetings.merge(read)
    expect(JSON.parse(String((await stored()).plan))).toEqual({
      at: '2026-11-22T12:00:00Z',
      tries: 4,
      stops: [],
      other: 1,
    })
  })

  it('is compared in its stored form', async () => {
    const { meetings } = await freshMeetings()
    await meetings.insert({ p: 'a', r: '1', at: noon, isOpen: false })
    const query = meetings.query().where({ p: 'a', at: noon, isOpen: false })
    expect(query.explain().filter).toBe(
      "PartitionKey eq 'a' and at eq '2026-11-22T12:00:00.000Z' and isOpen eq 'false'",
    )
    expect(await query.toArray()).toHaveLength(1)
  })

  it('is decoded by fromPlain, from what toPlain and JSON show', async () => {
    const meeting = {
      p: 'a',
      r: '1',
      at: noon,
      isOpen: true,
      plan: { at: noon, tries: 1, stops: [] },
    }
    const json = JSON.parse(JSON.stringify(toPlain(meeting, Meeting)))
    expect(fromPlain(Meeting, json)).toEqual(meeting)
  })

  it('names the place of a value that it does not take', async () => {
    const { meetings } = await freshMeetings()
    const wrong = { p: 'a', r: '1', plan: { at: new Date(Number.NaN) } }
    await expect(meetings.insert(wrong)).rejects.toThrow(SchemaError)
    await expect(meetings.insert(wrong)).rejects.toThrow(/ plan\.at: /)
    const text = { p: 'a', r: '1', at: '2026-11-22T12:00:00Z' as never }
    await expect(meetings.insert(text)).rejects.toThrow(/ at: /)
  })

  it('rejects a stored value that it cannot decode', async () => {
    const { account, meetings } = await freshMeetings()
    await account.table('meetings').insert({ partitionKey: 'a', rowKey: '1', big: 'many' })
    await expect(meetings.get({ p: 'a', r: '1' })).rejects.toThrow(
      expect.objectContaining({ code: 'SchemaMismatch', message: expect.stringMatching(/ big: /) }),
    )
  })

  it('works in zod mini, and in a pipe', async () => {
    const account = connect('memory:')
    onTestFinished(() => account.close())
    const small = mini.codec(mini.iso.datetime(), mini.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    })
    const schema = mini.object({
      p: mini.string(),
      r: mini.string(),
      at: small,
      later: mini.pipe(small, mini.date()),
      list: mini.array(mini.pipe(mini.iso.datetime(), small)),
    })
    const table = account.table(defineEntity({ ...keys, schema }))
    await table.create()
    const given = { p: 'a', r: '1', at: noon, later: noon, list: [midnight] }
    await table.insert(given)
    expect(await table.get({ p: 'a', r: '1' })).toEqual(given)
    const row = await account.table('meetings').get(['a', '1'])
    expect(row.get('list')?.value).toBe('["2026-11-23T00:00:00.000Z"]')
  })
})
