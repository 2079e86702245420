import {
  Blob,
  Convert,
  type Converter,
  Encrypted,
  Entity,
  encryptionKeys,
  Int64,
  Json,
  PartitionKey,
  RowKey,
  signingKeys,
  Text,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FreshAccount, freshTable } from '../fresh-account.ts'

const bytes = Buffer.alloc(32, 1)
const keys = encryptionKeys({ current: 'k', keys: { k: bytes } })

const lines: Converter<string[], string> = {
  type: 'String',
  toStored: (value) => value.join('\n'),
  fromStored: (stored) => stored.split('\n'),
}

@Entity({ name: 'patients', signing: signingKeys({ current: 's', keys: { s: bytes } }) })
class Patient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(keys) @Int64() visits?: Secret<bigint>
  @Encrypted(keys) @Text() notes?: Secret<string>
  @Blob() @Encrypted(keys) scan?: Secret<Uint8Array>
  @Encrypted(keys) @Json() history?: Secret<{ readonly what: string }[]>
  @Encrypted(keys) @Json(z.object({ doses: z.array(z.number()) })) plan?: Secret<{
    doses: number[]
  }>
  @Encrypted(keys) @Json() @Text() record?: Secret<{ text: string }>
  @Encrypted(keys) @Convert(lines) streets?: Secret<string[]>
}

/** The same rows without verification of signatures. */
@Entity('patients')
class Unsigned {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Encrypted(keys) @Text() notes?: Secret<string>
}

const key = ['Seattle', '1'] as const
const long = 'secret € '.repeat(20_000)
const values = {
  visits: 5n,
  notes: long,
  scan: Uint8Array.from({ length: 200_000 }, (_, at) => at % 251),
  history: [{ what: 'born here' }, { what: 'vaccinated' }],
  plan: { doses: [1, 2.5] },
  record: { text: long.slice(0, 100_000) },
  streets: ['1 Main St', 'B'],
}
const patient = () => Object.assign(new Patient(), { clinic: key[0], id: key[1] }, values)
/** A patient whose bytes are text: a comparison of bytes one by one takes seconds. */
const shown = (read: { scan?: Uint8Array | undefined }) => ({
  ...read,
  scan: read.scan && Buffer.from(read.scan).toString('base64'),
})
const rowsOf = ({ account }: FreshAccount) => account.table('patients')

describe('an encrypted member of any form', () => {
  it('R-126: stores text, bytes, JSON, checked JSON and converted values of any length', async () => {
    const fresh = await freshTable(Patient)
    await fresh.table.insert(patient())
    // Base64 holds any word of its own letters sooner or later, but no blanks and no quotes.
    expect(fresh.sent[0]?.body).not.toMatch(/secret |born here|doses\\?"|Main St/)
    const row = await rowsOf(fresh).get(key)
    const types = [...row.properties.values()].map(({ type }) => type)
    expect(new Set(types)).toEqual(new Set(['Binary']))
    expect(row.get('scan_4')?.type).toBe('Binary')
    expect(shown(await fresh.table.get(key))).toEqual(shown(patient()))
  })

  it('R-126: is rejected when any piece of it was altered, left out or put elsewhere', async () => {
    const fresh = await freshTable(Unsigned)
    await fresh.table.insert({ clinic: key[0], id: key[1], notes: long })
    const rows = rowsOf(fresh)
    const whole = await rows.get(key)
    const names = [...whole.properties.keys()].filter((name) => name.startsWith('notes'))
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) {
      const row = await rows.get(key)
      const piece = Uint8Array.from(row.get(name)?.value as Uint8Array)
      piece[100] = (piece[100] as number) ^ 1
      await rows.replace(row.set(name, piece))
      await expect(fresh.table.get(key), name).rejects.toThrow(
        expect.objectContaining({
          code: 'DecryptionFailed',
          details: expect.objectContaining({ property: 'Unsigned.notes' }),
        }),
      )
      await rows.insertOrReplace(whole)
    }
    expect((await fresh.table.get(key)).notes).toBe(long)
  })

  it('sends only what changed, also in place', async () => {
    const { table, sent } = await freshTable(Patient)
    await table.insert(patient())
    const read = await table.get(key)
    sent.length = 0
    await table.merge(read)
    expect(sent).toEqual([])
    read.plan?.doses.push(3)
    read.notes = 'short'
    await table.merge(read)
    const names = Object.keys(JSON.parse(String(sent[0]?.body))).filter(
      (each) => !each.includes('@'),
    )
    expect(names).toEqual(['PartitionKey', 'RowKey', 'notes', 'plan', 'Signature'])
    const changed = Object.assign(patient(), { plan: { doses: [1, 2.5, 3] }, notes: 'short' })
    expect(shown(await table.get(key))).toEqual(shown(changed))
  })

  it('is decrypted for a resolver, in one piece', async () => {
    const { table } = await freshTable(Patient)
    await table.insert(patient())
    const names = await table.get(key, {
      resolve: (_partition, _row, _timestamp, properties) =>
        properties.get('notes')?.value === long && [...properties.keys()],
    })
    expect(names).toEqual(expect.arrayContaining(['notes', 'scan', 'plan']))
  })

  it('cannot be compared', async () => {
    const { table } = await freshTable(Patient)
    for (const member of Object.keys(values)) {
      const where = { clinic: 'Seattle', [member]: 'x' } as never
      expect(() => table.query().where(where), member).toThrow(
        expect.objectContaining({ code: 'InvalidQuery' }),
      )
    }
  })
})
