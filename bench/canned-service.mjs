/**
 * A table service in its own process. It reads a request's head and length and returns a prepared
 * Buffer. It stores nothing and checks no signature. It sends its port to the parent process.
 */
import { createServer } from 'node:net'
import { cannedAnswers } from './canned-answers.mjs'

let answerTo

function converse(socket) {
  let held = Buffer.alloc(0)
  let bodyLeft = 0
  let reply
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length > 0) {
      if (reply === undefined) {
        const end = held.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = held.latin1Slice(0, end)
        bodyLeft = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
        reply = answerTo(head)
        held = held.subarray(end + 4)
      }
      const taken = Math.min(bodyLeft, held.length)
      held = held.subarray(taken)
      bodyLeft -= taken
      if (bodyLeft > 0) return
      socket.write(reply)
      reply = undefined
    }
  })
}

const server = createServer(converse).listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  answerTo = cannedAnswers(port)
  process.send({ port })
})
process.on('disconnect', () => process.exit())
