import {
  defineEntity,
  Encrypted,
  Entity,
  encryptionKeys,
  key as keyOf,
  ModelError,
  modelOf,
  PartitionKey,
  Plain,
  Property,
  plain,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import { DateTimeValue, DynamicEntity, type EntityProperty } from '@rowkey/odata'
import type { EntityResolver, Secret, StringField } from '@rowkey/query'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshTable } from '../fresh-account.ts'

const k1 = Buffer.alloc(32, 1)
const k2 = Buffer.alloc(32, 2)
const keys = encryptionKeys({ current: 'k1', keys: { k1 } })

@Entity('patients')
class Patient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  plain?: string = undefined as never
  @Encrypted(keys) text?: Secret<string>
  @Encrypted(keys) @StoreAs('s') short?: Secret<string>
  @Encrypted(keys) @Property('Int64') points?: Secret<bigint>
  @Encrypted(keys) @Property('Double') weight?: Secret<number>
  @Encrypted(keys) @Property('Guid') card?: Secret<string>
  @Encrypted(keys) count?: Secret<number>
  @Encrypted(keys) born?: Secret<Date>
  @Encrypted(keys) insured?: Secret<boolean>
  @Encrypted(keys) scan?: Secret<Uint8Array>
  #notes: string | undefined
  @Encrypted(keys) get notes(): Secret<string> | undefined {
    return this.#notes
  }
  set notes(value: Secret<string> | undefined) {
    this.#notes = value
  }
}

const key = ['Seattle', '1'] as const
const jeff = () => Object.assign(new Patient(), { clinic: key[0], id: key[1] })

describe('@Encrypted', () => {
  it('R-126: stores bytes without the value in them, and reads the value back', async () => {
    const { table, account, sent } = await freshTable(Patient)
    await table.insert(
      Object.assign(jeff(), { text: 'diagnosis', notes: 'a remark', plain: 'open' }),
    )
    expect(sent[0]?.body).not.toMatch(/diagnosis|remark/)
    const row = await account.table('patients').get(key)
    expect(row.get('text')?.type).toBe('Binary')
    expect(row.get('plain')?.value).toBe('open')
    expect(Buffer.from(row.get('text')?.value as Uint8Array).toString('latin1')).not.toContain(
      'diagnosis',
    )
    expect(await table.get(key)).toMatchObject({
      text: 'diagnosis',
      notes: 'a remark',
      plain: 'open',
    })
  })

  it('R-126: reads back every value of every type exactly', async () => {
    const { table } = await freshTable(Patient)
    const values = fc.record({
      text: fc.string({ unit: 'grapheme' }),
      short: fc.string(),
      points: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      weight: fc.double(),
      card: fc.uuid(),
      count: fc.double({ noNaN: true }),
      born: fc.integer({ min: 0, max: 9_999 }).map((ticks) => new DateTimeValue(1e12, ticks)),
      insured: fc.boolean(),
      scan: fc.uint8Array({ maxLength: 300 }),
      notes: fc.string(),
    })
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        await table.insertOrReplace(Object.assign(jeff(), given))
        const read = await table.get(key)
        expect({ ...read, notes: read.notes }).toMatchObject(given)
      }),
      { numRuns: 30 },
    )
  })

  it('keeps a whole Double a Double through a merge', async () => {
    const { table, account } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { weight: 4 }))
    const read = await table.get(key)
    read.weight = 5
    await table.merge(read)
    expect((await table.get(key)).weight).toBe(5)
    expect((await account.table('patients').get(key)).get('weight')?.type).toBe('Binary')
  })

  it('merges only a value that changed, although each encryption has other bytes', async () => {
    const { table, sent } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a', short: 'b', plain: 'c' }))
    const read = await table.get(key)
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
    read.plain = 'd'
    await table.merge(read)
    expect(sent[0]?.body).not.toMatch(/"text"|"s"/)
    read.short = 'x'
    await table.merge(read)
    expect(Object.keys(JSON.parse(String(sent[1]?.body)))).toEqual([
      'PartitionKey',
      'RowKey',
      's@odata.type',
      's',
    ])
    expect(await table.get(key)).toMatchObject({ text: 'a', short: 'x', plain: 'd' })
  })

  it('does not store an initial value that the caller did not set', async () => {
    class Draft extends Patient {
      @Encrypted(keys) state: Secret<string> = 'new'
    }
    const { table, account, sent } = await freshTable(Draft)
    await account.table('patients').insert(new DynamicEntity('Seattle', '1', { plain: 'x' }))
    const read = await table.get(key)
    expect(read.state).toBe('new')
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
  })

  it.each(['text', 's'])('R-128: rejects an entity whose %s was altered', async (name) => {
    const { table, account } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a', short: 'b' }))
    const rows = account.table('patients')
    const row = await rows.get(key)
    const bytes = Uint8Array.from(row.get(name)?.value as Uint8Array)
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
    await rows.merge(row.set(name, bytes))
    const member = name === 's' ? 'short' : name
    await expect(table.get(key)).rejects.toThrow(
      expect.objectContaining({
        name: 'DecodeError',
        details: expect.objectContaining({
          property: `Patient.${member}`,
          reason: 'tampered',
          keyId: 'k1',
        }),
      }),
    )
  })

  it('rejects a value that was copied to another row or to another property', async () => {
    const { table, account } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a', short: 'b' }))
    const rows = account.table('patients')
    const row = await rows.get(key)
    const text = row.get('text') as EntityProperty
    await rows.insert(new DynamicEntity('Seattle', '2', { text }))
    await expect(table.get(['Seattle', '2'])).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'DecryptionFailed' }),
    )
    await rows.merge(row.set('s', text))
    await expect(table.get(key)).rejects.toThrow(/^Patient\.short \(key 'k1'\)/)
  })

  it('encrypts a value again when it is inserted under another key', async () => {
    const { table } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a' }))
    const moved = await table.get(key)
    moved.id = '2'
    await table.insert(moved)
    expect((await table.get(['Seattle', '2'])).text).toBe('a')
  })

  it("rejects a value in the clear, unless the keys have plaintext: 'read'", async () => {
    const { table, account, sent } = await freshTable(Patient)
    await account.table('patients').insert(new DynamicEntity('Seattle', '1', { text: 'open' }))
    await expect(table.get(key)).rejects.toThrow(/^Patient\.text is stored without encryption/)

    const migrating = encryptionKeys({ current: 'k1', keys: { k1 }, plaintext: 'read' })
    class Migrated {
      @PartitionKey() clinic = ''
      @RowKey() id = ''
      @Encrypted(migrating) text?: Secret<string>
    }
    const migrated = account.table(Migrated, 'patients')
    const read = await migrated.get(key)
    expect(read.text).toBe('open')
    sent.length = 0
    await migrated.replace(read)
    expect(sent[0]?.body).not.toContain('open')
    expect((await table.get(key)).text).toBe('open')
  })

  it('reads with every key of the ring, and writes with the current one', async () => {
    const { table, account } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a' }))
    const both = encryptionKeys({ current: 'k2', keys: { k1, k2 } })
    class Rotated {
      @PartitionKey() clinic = ''
      @RowKey() id = ''
      @Encrypted(both) text?: Secret<string>
    }
    const rotated = account.table(Rotated, 'patients')
    await rotated.replace(await rotated.get(key))
    await expect(table.get(key)).rejects.toThrow(
      expect.objectContaining({
        code: 'DecryptionFailed',
        details: expect.objectContaining({ reason: 'unknownKey', keyId: 'k2' }),
      }),
    )
    expect((await rotated.get(key)).text).toBe('a')
  })

  it('reads a projection of encrypted properties', async () => {
    const { table } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a', short: 'b' }))
    const part = await table.get(key, { select: ['text'] })
    expect(part.text).toBe('a')
    part.text = 'c'
    await table.merge(part)
    expect(await table.get(key)).toMatchObject({ text: 'c', short: 'b' })
  })

  it('shows a resolver the decrypted value', async () => {
    const { table } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a', weight: 4 }))
    const show: EntityResolver<string> = (_partition, id, _timestamp, properties) =>
      `${id} ${properties.get('text')?.value} ${properties.get('weight')?.type}`
    expect(await table.get(key, { resolve: show })).toBe('1 a Double')
    const query = table.query().where({ clinic: 'Seattle' })
    expect(await query.resolve(show).toArray()).toEqual(['1 a Double'])
  })

  it('can be compared by filterLocally', async () => {
    const { table } = await freshTable(Patient)
    await table.insert(Object.assign(jeff(), { text: 'a' }))
    await table.insert(Object.assign(jeff(), { id: '2', text: 'b' }))
    const query = table.query().where({ clinic: 'Seattle' })
    const found = await query.filterLocally((patient) => patient.text === 'b').toArray()
    expect(found.map(({ id }) => id)).toEqual(['2'])
  })

  it('rejects a condition on it, and sends nothing', async () => {
    const { table, sent } = await freshTable(Patient)
    const query = table.query().where({ clinic: 'Seattle' })
    expect(() => query.where({ text: 'a' } as never)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => query.where({ text: 'a' } as never)).toThrow(
      /^Conditions cannot use Patient\.text: It is encrypted/,
    )
    expect(() =>
      query.where((patient) => (patient as unknown as { text: StringField }).text.eq('a')),
    ).toThrow(expect.objectContaining({ code: 'InvalidQuery' }))
    expect(sent).toEqual([])
  })

  it('rejects a value of another type, and a value that is too long when encrypted', async () => {
    const { table, sent } = await freshTable(Patient)
    await expect(table.insert(Object.assign(jeff(), { points: 'many' as never }))).rejects.toThrow(
      /Patient\.points.*Int64/,
    )
    await expect(table.insert(Object.assign(jeff(), { text: '€'.repeat(32_768) }))).rejects.toThrow(
      expect.objectContaining({ code: 'EntityTooLarge' }),
    )
    expect(sent).toEqual([])
  })

  it('rejects a key as an encrypted member, and encryption without keys', () => {
    class OnKey {
      @PartitionKey() @Encrypted(keys) partition: Secret<string> = ''
      @RowKey() row = ''
    }
    expect(() => modelOf(OnKey)).toThrow(ModelError)
    expect(() => modelOf(OnKey)).toThrow(/OnKey\.partition.*@PartitionKey and @Encrypted/)
    class NoKeys {
      @PartitionKey() partition = ''
      @RowKey() row = ''
      @Encrypted(undefined as never) text?: Secret<string>
    }
    expect(() => modelOf(NoKeys)).toThrow(/NoKeys\.text.*encryptionKeys/)
  })
})

class Visit {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Plain() @Property('Int64') @StoreAs('v') visits?: bigint
  @Plain() get label(): string {
    return `${this.clinic} ${this.id}`
  }
}

describe('@Plain', () => {
  it('stores a member as without it, and marks the column as plain', () => {
    expect(modelOf(Visit).columns).toMatchObject([
      { property: 'visits', name: 'v', type: 'Int64', plain: true },
      { property: 'label', name: 'label', plain: true },
    ])
  })

  it('is rejected beside @Encrypted and on a key', () => {
    class Both {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @Plain() @Encrypted(keys) c?: Secret<string>
    }
    expect(() => modelOf(Both)).toThrow(/Both\.c.*@Encrypted and @Plain/)
    class OnKey {
      @PartitionKey() a = ''
      @Plain() @RowKey() b = ''
    }
    expect(() => modelOf(OnKey)).toThrow(/OnKey\.b.*@RowKey and @Plain/)
  })

  it('has the same effect as plain() in defineEntity', () => {
    const { columns } = defineEntity({
      name: 'visits',
      partitionKey: keyOf`${'a'}`,
      rowKey: keyOf`${'b'}`,
      schema: z.object({ a: z.string(), b: z.string(), c: z.string() }),
      columns: { c: plain() },
    })
    expect(columns).toMatchObject([{ property: 'c', type: 'String', plain: true }])
  })
})
