import { describe, expect, it } from 'vitest'
import { refreshMembers } from '../../../packages/mapper/src/codec/refresh-members.ts'

describe('refreshMembers', () => {
  it('makes the members what they are in the other object, and leaves the others alone', () => {
    const members = { age: 1, gone: 2, mine: 3 }
    refreshMembers(members, { age: 5, fresh: undefined }, ['age', 'gone', 'fresh'])
    expect(members).toStrictEqual({ age: 5, fresh: undefined, mine: 3 })
  })

  it('assigns through setters', () => {
    class Person {
      #age = 1
      get age(): number {
        return this.#age
      }
      set age(age: number) {
        this.#age = age
      }
    }
    const [person, fresh] = [new Person(), new Person()]
    fresh.age = 5
    refreshMembers(person as unknown as Record<string, unknown>, { age: fresh.age }, ['age'])
    expect(person.age).toBe(5)
    expect(Object.keys(person)).toEqual([])
  })
})
