// The last line of a program of the footprint: asks once, and prints what the process has cost.
import process from 'node:process'

export async function report(first) {
  const value = await first(process.argv[2])
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ value, milliseconds: (user + system) / 1000 }))
  // Connections that are kept alive are none of the cost.
  process.exit(0)
}
