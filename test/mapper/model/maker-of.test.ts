import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { makerOf } from '../../../packages/mapper/src/model/maker-of.ts'

class Person {
  name = 'x'
}
const metadata = { name: 'people', create: undefined, inheritsCreate: false, members: new Map() }

describe('makerOf', () => {
  it('R-102: makes instances by the constructor, without arguments', () => {
    const { create, sample } = makerOf(Person, metadata)
    expect(create()).toBeInstanceOf(Person)
    expect(create()).not.toBe(sample)
  })

  it('makes instances with create if the class has it', () => {
    const create = () => Object.assign(new Person(), { name: 'made' })
    expect(makerOf(Person, { ...metadata, create }).sample).toEqual({ name: 'made' })
  })

  it('keeps the error of a constructor as the cause', () => {
    const cause = new RangeError('no')
    class Broken {
      constructor() {
        throw cause
      }
    }
    expect(() => makerOf(Broken, metadata)).toThrow(expect.objectContaining({ cause }))
  })

  it('rejects a create that makes something else', () => {
    const create = () => ({ name: 'x' })
    expect(() => makerOf(Person, { ...metadata, create })).toThrow(ModelError)
  })

  it('rejects an attempt to make a base class in the place of its subclass', () => {
    const inherited = { ...metadata, inheritsCreate: true }
    expect(() => makerOf(Person, inherited)).toThrow(/Give this class an @Entity of its own/)
  })
})
