import { describe, expect, it } from 'vitest'
import { memberDecorator } from '../../../packages/mapper/src/decorators/member-decorator.ts'
import { readMetadata } from '../../../packages/mapper/src/model/class-record.ts'

const Marked = memberDecorator('Property', { type: 'Int64' })

class Person {
  @Marked age?: bigint
  @Marked get name(): string {
    return 'x'
  }
  @Marked set nick(value: string) {
    this.name.concat(value)
  }
}

describe('memberDecorator', () => {
  it('records its rule for a field, a getter and a setter', () => {
    const { members } = readMetadata(Person)
    expect([...members.keys()].sort()).toEqual(['age', 'name', 'nick'])
    expect(members.get('age')).toMatchObject({ decorators: ['Property'], type: 'Int64' })
  })

  it('does not change its member', () => {
    expect(new Person().name).toBe('x')
    expect(Object.getOwnPropertyDescriptor(Person.prototype, 'name')?.set).toBeUndefined()
  })
})
