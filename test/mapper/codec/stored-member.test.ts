import { describe, expect, it } from 'vitest'
import { storedMember } from '../../../packages/mapper/src/codec/stored-member.ts'

describe('storedMember', () => {
  it('has the texts of a name ready', () => {
    const { name, annotation, member } = storedMember('cea')
    expect([name, annotation, member.plain]).toEqual(['cea', 'cea@odata.type', '"cea":'])
  })
})
