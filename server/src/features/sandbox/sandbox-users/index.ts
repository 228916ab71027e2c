// Sandbox users: a week of data when they are created, a new day every day, and scenarios on request.
export { addSandboxDaysJob, findEndedSandboxDaysJob } from './jobs.ts';
export { readKnownPerson } from './person.ts';
export { requestDays } from './request-days.ts';
export { sandboxRoutes, scenarioFormat } from './routes.ts';
export { prepareSeed, type Seed, seedSandboxUser } from './seed-user.ts';
export { lookAgainSoon, removePerson } from './store.ts';
export { writeScenario } from './write-scenario.ts';
