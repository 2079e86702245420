import { connect, isRowkeyError } from 'rowkey'
import { Person } from './people.ts'
import type { Steps } from './serve-steps.ts'

/** The old program: it runs until the deployment ends. */
export function oldProgram(): Steps {
  const { TABLES = '', TABLE } = process.env
  const people = connect(TABLES).table(Person, TABLE)
  const ann = ['red', '1'] as const
  const ben = { team: 'red', id: '2', name: 'Ben' }
  return {
    async begin() {
      await people.create()
      await people.insert({ team: 'red', id: '1', name: 'Ann' })
      await people.insert(ben)
      return 'stored Ann and Ben'
    },
    async rename() {
      const { name } = await people.modify(ann, (person) => {
        person.name = 'Ann Park'
      })
      return `renamed Ann to ${name}`
    },
    async overwrite() {
      try {
        await people.insertOrReplace(ben)
        return 'overwrote Ben'
      } catch (error) {
        return `could not overwrite Ben: ${isRowkeyError(error) ? error.code : error}`
      }
    },
    async add() {
      await people.insert({ team: 'red', id: '3', name: 'Cleo' })
      return 'stored Cleo'
    },
  }
}
