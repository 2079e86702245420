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
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const keys = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })

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
