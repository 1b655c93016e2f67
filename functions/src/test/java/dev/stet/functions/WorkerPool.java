package dev.stet.functions;

import dev.stet.asl.Failure;
import dev.stet.asl.Functions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Functions in JVMs of their own, a few for each; those without any run in this process. A JVM that died is replaced when its turn comes. */
final class WorkerPool implements Functions, AutoCloseable {
    private final Functions others;
    private final Map<String, String> environment;
    private final Map<String, BlockingQueue<WorkerJvm>> idle = new ConcurrentHashMap<>();
    private final Map<String, Class<?>> handlers = new ConcurrentHashMap<>();
    private final List<WorkerJvm> busy = new ArrayList<>();
    private final List<WorkerJvm> all = new ArrayList<>();
    private final AtomicInteger killed = new AtomicInteger();

    WorkerPool(Functions others, Map<String, String> environment) {
        this.others = others;
        this.environment = environment;
    }

    WorkerPool with(String name, Class<?> handler, int jvms) throws IOException {
        handlers.put(name, handler);
        BlockingQueue<WorkerJvm> queue = new LinkedBlockingQueue<>();
        for (int i = 0; i < jvms; i++) {
            queue.add(started(handler));
        }
        idle.put(name, queue);
        return this;
    }

    private WorkerJvm started(Class<?> handler) throws IOException {
        WorkerJvm worker = WorkerJvm.start(handler, environment);
        synchronized (all) {
            all.add(worker);
        }
        return worker;
    }

    @Override
    public JsonNode invoke(String name, JsonNode payload) throws Failure, InterruptedException {
        BlockingQueue<WorkerJvm> queue = idle.get(name);
        if (queue == null) {
            return others.invoke(name, payload);
        }
        WorkerJvm worker = queue.take();
        try {
            if (!worker.isAlive()) {
                worker = started(java.util.Objects.requireNonNull(handlers.get(name)));
            }
            synchronized (busy) {
                busy.add(worker);
            }
            return worker.invoke(payload);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            synchronized (busy) {
                busy.remove(worker);
            }
            queue.add(worker);
        }
    }

    /** Kills a JVM that is at work, if there is one. */
    boolean killOne(Random random) {
        synchronized (busy) {
            if (busy.isEmpty()) {
                return false;
            }
            busy.get(random.nextInt(busy.size())).kill();
            killed.incrementAndGet();
            return true;
        }
    }

    int killed() {
        return killed.get();
    }

    @Override
    public void close() throws IOException {
        synchronized (all) {
            for (WorkerJvm w : all) {
                w.close();
            }
        }
    }
}
