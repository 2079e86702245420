import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { OpenAnswers } from '../../../packages/local/src/http/open-answers.ts'

// Only their events are of interest here.
const socketOf = (destroyed = false) =>
  Object.assign(new EventEmitter(), { destroyed }) as unknown as Socket
const responseOf = () => new EventEmitter() as unknown as ServerResponse

const isDrained = async (answers: OpenAnswers) => {
  let drained = false
  void answers.drained().then(() => {
    drained = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return drained
}

it('answers are open until they are sent', async () => {
  const answers = new OpenAnswers()
  expect(await isDrained(answers)).toBe(true)
  const socket = socketOf()
  const [first, second] = [responseOf(), responseOf()]
  answers.add(socket, first)
  answers.add(socket, second)
  first.emit('close')
  expect(await isDrained(answers)).toBe(false)
  second.emit('close')
  expect(await isDrained(answers)).toBe(true)
})

it('the end of a connection ends all of its answers, and no others', async () => {
  const answers = new OpenAnswers()
  const [gone, here] = [socketOf(), socketOf()]
  const late = responseOf()
  answers.add(gone, responseOf())
  answers.add(gone, late)
  const owed = responseOf()
  answers.add(here, owed)
  gone.emit('close')
  late.emit('close')
  expect(await isDrained(answers)).toBe(false)
  owed.emit('close')
  expect(await isDrained(answers)).toBe(true)
})

it('nothing is owed to a connection that is gone, and one listener is enough for many answers', async () => {
  const answers = new OpenAnswers()
  answers.add(socketOf(true), responseOf())
  expect(await isDrained(answers)).toBe(true)
  const socket = socketOf()
  for (let count = 0; count < 50; count += 1) answers.add(socket, responseOf())
  expect(socket.listenerCount('close')).toBe(1)
})
