import {
  DateTime,
  defineEntity,
  Entity,
  key,
  lifetime,
  modelOf,
  PartitionKey,
  RowKey,
} from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Note } from '../lifetime/notes.ts'

describe('lifetime', () => {
  it('needs a property that is stored as a DateTime', () => {
    @Entity({ name: 'x', lifetime: lifetime({ expiresAt: 'until' }) })
    class Wrong {
      @PartitionKey() id = ''
      @RowKey() no = ''
      until = ''
    }
    expect(() => modelOf(Wrong)).toThrow(
      'Wrong.until: lifetime needs a property that is stored as a DateTime',
    )
  })

  it('needs a property, and another one for deletes', () => {
    expect(() => lifetime({})).toThrow('lifetime needs the name of one property, or of two')
    expect(() => lifetime({ expiresAt: 'a', deletedAt: 'a' })).toThrow('or of two')
  })

  it.each([5, '', null])('rejects the name %j', (name) => {
    expect(() => lifetime({ expiresAt: 'a', deletedAt: name as never })).toThrow('or of two')
  })

  it.each([
    ['an object', { expiresAt: 'until' } as never],
    ['the function itself', lifetime as never],
  ])('must be the result of the function lifetime, not %s', (_, wrong) => {
    @Entity({ name: 'x', lifetime: wrong })
    class Wrong {
      @PartitionKey() id = ''
      @RowKey() no = ''
      @DateTime() until?: Date
    }
    expect(() => modelOf(Wrong)).toThrow('must be a result of the function lifetime')
    const model = () =>
      defineEntity({
        name: 'x',
        partitionKey: key`${'id'}`,
        rowKey: key`${'no'}`,
        schema: z.object({ id: z.string(), no: z.string(), until: z.date() }),
        lifetime: wrong,
      })
    expect(model).toThrow('must be a result of the function lifetime')
  })

  it('is inherited by subclasses', () => {
    @Entity('memos')
    class Memo extends Note {
      @DateTime() read?: Date
    }
    expect(modelOf(Memo).lifetime?.names).toEqual(['expiresOn', 'gone'])
  })
})
