package dev.stet.corpus;

import dev.stet.corpus.ObjectMaker.SourceObject;
import java.io.IOException;

/** Writes a Firehose archive and tells its ground truth. One object is held at a time. */
final class Corpus {
    /** Takes the objects of the archive. */
    interface Target {
        void put(String key, byte[] stored) throws IOException;
    }

    private Corpus() {}

    /** Writes the archive and returns what has to lie in the sink after one copy of it. */
    static Tally write(CorpusOptions options, Target target) throws IOException {
        Tally tally = new Tally();
        write(options, target, tally);
        return tally;
    }

    static void write(CorpusOptions options, Target target, Outcomes outcomes) throws IOException {
        ObjectMaker maker = new ObjectMaker(options, outcomes);
        long bytes = 0;
        for (int i = 0; i < options.objects() && bytes < options.bytes(); i++) {
            SourceObject object = maker.make(options.firstObject() + i);
            target.put(object.key(), object.stored());
            bytes += object.plainLength();
        }
    }
}
