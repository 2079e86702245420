import { connect } from 'rowkey'
import { customerServer } from './server.ts'

const { TABLES = 'memory:', PORT = '3000' } = process.env
const server = customerServer(connect(TABLES))
console.log(await server.listen({ port: Number(PORT) }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())
