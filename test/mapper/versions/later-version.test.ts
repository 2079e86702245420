import { Entity, modelOf, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { codecOf } from '../../../packages/mapper/src/layers/codec-of.ts'
import { readPart } from '../read-part.ts'

@Entity('notes')
class Note {
  @PartitionKey() owner = ''
  @RowKey() id = ''
  @Property() text?: string
}

@Entity('editions')
class Edition {
  @PartitionKey() owner = ''
  @RowKey() id = ''
  @Property('Int32') Version?: number
}

@Entity('letters')
class Letter {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

@Entity({
  name: 'letters',
  version: 2,
  versionProperty: 'Shape',
  previous: Letter,
  migrate: ({ owner, id }: Letter) => Object.assign(new LetterV2(), { owner, id }),
})
class LetterV2 {
  @PartitionKey() owner = ''
  @RowKey() id = ''
}

const key = { PartitionKey: 'o', RowKey: '1' }
const notes = codecOf(modelOf(Note))

describe('a model without versions', () => {
  it('rejects rows of a later version, whole and in part, and names them', () => {
    for (const read of [
      () => notes.read({ ...key, Version: 2 }),
      () => readPart(notes, { ...key, Version: 7 }),
    ]) {
      expect(read).toThrow(
        expect.objectContaining({ name: 'DecodeError', code: 'UnreadableVersion' }),
      )
      expect(read).toThrow(
        /^Note: the row \["o","1"\] has the later version [27] in 'Version', .*Update the program/,
      )
    }
  })

  it.each([
    ['version 1', { Version: 1 }],
    ['no version', {}],
    ['a version of null, as in a projection', { Version: null }],
    ['a text of that name', { Version: '2' }],
    ['an Int64 of that name', { 'Version@odata.type': 'Edm.Int64', Version: '2' }],
    ['a Double of that name', { 'Version@odata.type': 'Edm.Double', Version: 2 }],
    ['a fraction of that name', { Version: 2.5 }],
  ])('reads rows with %s', (_, rest) => {
    expect(notes.read({ ...key, ...rest })).toMatchObject({ owner: 'o', id: '1' })
  })

  it('reads rows whose property of that name the class declares', () => {
    const editions = codecOf(modelOf(Edition))
    expect(editions.read({ ...key, Version: 2 }).Version).toBe(2)
  })

  it('looks for the version in the property of the next model', () => {
    modelOf(LetterV2)
    const letters = codecOf(modelOf(Letter))
    expect(() => letters.read({ ...key, Shape: 2 })).toThrow(/has the later version 2 in 'Shape'/)
    expect(() => letters.read({ ...key, Version: 2 })).not.toThrow()
  })
})
