import {
  defineEntity,
  Entity,
  encrypted,
  encryptionKeys,
  key,
  PartitionKey,
  Property,
  RowKey,
  signingKeys,
} from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freshAccount } from '../fresh-account.ts'

const signing = signingKeys({ current: 'k1', keys: { k1: new Uint8Array(32).fill(1) } })
const secret = encryptionKeys({ current: 'k1', keys: { k1: new Uint8Array(32).fill(2) } })

@Entity({ name: 'notes', signing })
class NoteV1 {
  @PartitionKey() owner = ''
  @RowKey() id = ''
  @Property() text?: string
  @Property() draft?: string
}

const NoteV2 = defineEntity({
  name: 'notes',
  partitionKey: key`${'owner'}`,
  rowKey: key`${'id'}`,
  schema: z.object({ owner: z.string(), id: z.string(), text: z.string() }),
  columns: { text: encrypted(secret) },
  signing,
  version: 2,
  previous: NoteV1,
  migrate: ({ owner, id, text = '' }) => ({ owner, id, text }),
})

async function oldNote() {
  const { account } = freshAccount()
  const old = account.table(NoteV1)
  await old.create()
  await old.insert(Object.assign(new NoteV1(), { owner: 'o', id: '1', text: 'hi', draft: 'h' }))
  return { old, notes: account.table(NoteV2), rows: account.table('notes') }
}

describe('versions of signed and encrypted entities', () => {
  it('verify the signatures of the earlier version, and encrypt its plain properties', async () => {
    const { notes, rows } = await oldNote()
    const note = await notes.get(['o', '1'])
    await notes.replace(note)
    const row = await rows.get(['o', '1'])
    expect([row.get('text')?.type, row.has('draft')]).toEqual(['Binary', false])
    expect(await notes.get(['o', '1'])).toMatchObject({ owner: 'o', id: '1' })
  })

  it('replace the row by a merge, so that its signature covers what is stored', async () => {
    const { notes, rows } = await oldNote()
    const note = await notes.get(['o', '1'])
    note.text = 'ho'
    await notes.merge(note)
    expect((await rows.get(['o', '1'])).has('draft')).toBe(false)
    expect(await notes.get(['o', '1'])).toMatchObject({ owner: 'o', id: '1', text: 'ho' })
  })

  it("reject a merge with etag '*', whose signature would not cover what is left", async () => {
    const { notes } = await oldNote()
    const note = await notes.get(['o', '1'])
    await expect(notes.merge(note, { etag: '*' })).rejects.toThrow(InputError)
  })

  it('reject a row of the earlier version that was tampered with', async () => {
    const { notes, rows } = await oldNote()
    await rows.merge((await rows.get(['o', '1'])).set('text', 'ho'))
    await expect(notes.get(['o', '1'])).rejects.toThrow(
      expect.objectContaining({ name: 'DecodeError', code: 'SignatureInvalid' }),
    )
  })
})
