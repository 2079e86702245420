// The last line of each measured program: sends one request, and prints the CPU time of the process.
import process from 'node:process'

export async function report(first) {
  const value = await first(process.argv[2])
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ value, milliseconds: (user + system) / 1000 }))
  // Idle connections must not keep the process alive.
  process.exit(0)
}
