import { expect, it } from 'vitest'
import { tell } from '../../../packages/rest/src/observe/tell.ts'

it('tells a listener', () => {
  const heard: number[] = []
  tell((what: number) => heard.push(what), 7)
  expect(heard).toEqual([7])
})

it('drops what a listener throws', () => {
  const thrower = () => {
    throw new Error('boom')
  }
  expect(() => tell(thrower, 7)).not.toThrow()
})
