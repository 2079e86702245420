import { describe, expect, it } from 'vitest'
import { membersIn } from '../../../packages/mapper/src/model/members-in.ts'

describe('membersIn', () => {
  it('is the object itself, by the names of its members', () => {
    class Person {
      name = 'Jeff'
    }
    const jeff = new Person()
    const members = membersIn(jeff)
    members.age = 39
    expect(members).toBe(jeff)
    expect([members.name, Object.keys(jeff)]).toEqual(['Jeff', ['name', 'age']])
  })
})
