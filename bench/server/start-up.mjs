import { cpuOf } from './process-usage.mjs'
import { startService } from './services.mjs'

/**
 * Starts services repeatedly, in turn, each with an empty folder and a new port.
 *
 * @param names - the names of the services
 * @returns a list for each round: `{ wall, cpu }` from the start of the process to its first response,
 * in milliseconds, in the order of the names
 */
export async function measureStartUp(names, rounds) {
  const samples = []
  for (let round = 0; round < rounds; round++) {
    const times = []
    for (const name of names) {
      const service = await startService(name)
      times.push({ wall: service.startUp, cpu: cpuOf(service.pid) / 1000 })
      await service.stop()
    }
    samples.push(times)
  }
  return samples
}
