import {
  type ColumnRule,
  converted,
  defineEntity,
  encrypted,
  encryptionKeys,
  jsonText,
  key,
  longBytes,
  longText,
  ModelError,
  signingKeys,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const bytes = Buffer.alloc(32, 1)
const keys = encryptionKeys({ current: 'k', keys: { k: bytes } })
const signing = signingKeys({ current: 's', keys: { s: bytes } })

const Patient = defineEntity({
  name: 'patients',
  partitionKey: key`${'clinic'}`,
  rowKey: key`${'id:4'}`,
  schema: z.object({
    clinic: z.string(),
    id: z.number().int(),
    ssn: z.string().min(3).optional(),
    visits: z.bigint().default(0n),
    ward: z.string().optional(),
  }),
  columns: { ssn: encrypted(keys), visits: encrypted(keys) },
  storeAs: { ssn: 's' },
  signing,
})
const at = { clinic: 'Seattle', id: 1 }

async function freshPatients() {
  const fresh = freshAccount()
  const patients = fresh.account.table(Patient)
  await patients.create()
  return { ...fresh, patients, rows: fresh.account.table('patients') }
}

describe('encrypted, in defineEntity', () => {
  it('stores bytes, and reads values and defaults back', async () => {
    const { patients, rows } = await freshPatients()
    await patients.insert({ ...at, ssn: '123-45', ward: 'B' })
    const row = await rows.get(['Seattle', '0001'])
    expect([row.get('s')?.type, row.get('visits')?.type]).toEqual(['Binary', 'Binary'])
    expect(row.get('ward')?.value).toBe('B')
    expect(await patients.get(at)).toEqual({ ...at, ssn: '123-45', visits: 0n, ward: 'B' })
  })

  it('merges the changed properties, checked by the schema and signed', async () => {
    const { patients, sent } = await freshPatients()
    const read = await patients.insert({ ...at, ssn: '123-45' })
    sent.length = 0
    read.visits = 3n
    await patients.merge(read)
    expect(sent[0]?.body).not.toMatch(/"s":/)
    expect(await patients.get(at)).toMatchObject({ ssn: '123-45', visits: 3n })
    read.ssn = '1'
    await expect(patients.merge(read)).rejects.toThrow(/ssn/)
  })

  it('rejects an altered row before the schema checks it', async () => {
    const { patients, rows } = await freshPatients()
    await patients.insert({ ...at, ssn: '123-45' })
    await rows.merge((await rows.get(['Seattle', '0001'])).set('ward', 5))
    await expect(patients.get(at)).rejects.toThrow(
      expect.objectContaining({
        code: 'SignatureInvalid',
        details: expect.objectContaining({ reason: 'tampered' }),
      }),
    )
    await rows.insert(new DynamicEntity('Seattle', '0002', { s: 'clear' }))
    await expect(patients.get({ ...at, id: 2 })).rejects.toThrow(/no signature/)
  })

  it('cannot be used in conditions', async () => {
    const { patients } = await freshPatients()
    expect(() => patients.query().where({ clinic: 'Seattle', ssn: 'x' } as never)).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
  })

  it.each<[string, object, RegExp]>([
    ['a property that the schema lacks', { unknown: encrypted(keys) }, /patients\.unknown.*schema/],
    [
      'a part of the key',
      { clinic: encrypted(keys) },
      /patients\.clinic.*part of the key, which is never encrypted/,
    ],
    ['no keys', { ssn: encrypted(undefined as never) }, /patients\.ssn.*encryptionKeys/],
    ['keys that sign', { ssn: encrypted(signing as never) }, /patients\.ssn.*encryptionKeys/],
  ])('rejects %s', (_what, columns, message) => {
    const define = () =>
      defineEntity({
        name: 'patients',
        partitionKey: key`${'clinic'}`,
        rowKey: key`${'id'}`,
        schema: z.object({ clinic: z.string(), id: z.string(), ssn: z.string() }),
        columns: columns as never,
      })
    expect(define).toThrow(ModelError)
    expect(define).toThrow(message)
  })
})

const Note = defineEntity({
  name: 'notes',
  partitionKey: key`${'author'}`,
  rowKey: key`${'no:4'}`,
  schema: z.object({
    author: z.string(),
    no: z.int(),
    tags: z.array(z.string()).default([]),
    text: z.string().optional(),
    photo: z.instanceof(Uint8Array).optional(),
    log: z.array(z.object({ at: z.int() })).optional(),
    secret: z.string().optional(),
  }),
  columns: {
    tags: converted(jsonText()),
    text: longText(),
    photo: longBytes(),
    log: { ...converted(jsonText()), ...longText() },
    secret: { ...encrypted(keys), ...longText() },
  },
})

const names = { partitionKey: key`${'author'}`, rowKey: key`${'no:4'}`, name: 'notes' } as const
const schema = z.object({ author: z.string(), no: z.int(), done: z.boolean(), text: z.string() })
const define = (columns: Record<string, ColumnRule>) => () =>
  defineEntity({ ...names, schema, columns: columns as object })

describe('converted, longText and longBytes', () => {
  it('work in a definition like @Convert, @Text and @Blob in a class', async () => {
    const { account } = freshAccount()
    const notes = account.table(Note)
    await notes.create()
    const log = Array.from({ length: 5_000 }, (_, at) => ({ at }))
    const photo = new Uint8Array(70_000).fill(3)
    const [text, secret] = ['x'.repeat(40_000), 'y'.repeat(70_000)]
    await notes.insert({ author: 'Ann', no: 1, tags: ['a'], text, photo, log, secret })
    const read = await notes.get({ author: 'Ann', no: 1 })
    expect(read).toMatchObject({ tags: ['a'], text, log, secret })
    expect(Buffer.from(read.photo ?? []).equals(photo)).toBe(true)
    const stored = await account.table('notes').get(['Ann', '0001'])
    expect(stored.get('tags')?.value).toBe('["a"]')
    for (const name of ['text_2', 'photo_2', 'log_2', 'secret_2'])
      expect(stored.has(name)).toBe(true)
  })

  it('are checked by the schema of the property', async () => {
    const { account } = freshAccount()
    const wrong = { author: 'Ann', no: 1, tags: [5 as never] }
    await expect(account.table(Note).insert(wrong)).rejects.toThrow(/tags\.0/)
  })

  it.each([
    [{ done: longText() }, /^notes\.done: Its rule cuts String values, .* stored as Boolean/],
    [{ text: longBytes() }, /^notes\.text: Its rule cuts Binary values/],
    [{ no: converted(jsonText()) }, /^notes\.no: It is a part of the key/],
    [{ text: converted({} as never) }, /^notes\.text: converted\(\) needs a converter/],
    [{ gone: longText() }, /^notes\.gone: columns has a rule for it/],
  ] as const)('are rejected where they do not fit: %o', (columns, message) => {
    expect(define(columns)).toThrow(ModelError)
    expect(define(columns)).toThrow(message)
  })
})
