package dev.stet.config;

import dev.stet.config.ConfigValue.Items;
import dev.stet.config.ConfigValue.Literal;
import dev.stet.config.ConfigValue.Section;
import dev.stet.config.ConfigValue.Text;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** The nodes that reading a file with this content would give, without lines. */
final class YamlNodes {
    private YamlNodes() {}

    static Node of(ConfigValue value) {
        return switch (value) {
            // Texts are meant as they are: what the environment would replace is escaped.
            case Text text -> scalar(text.text().replace("${", "$${"));
            case Literal literal -> scalar(literal.text());
            case Items items ->
                new SequenceNode(
                        Tag.SEQ, items.values().stream().map(YamlNodes::of).toList(), FlowStyle.FLOW);
            case Section section ->
                new MappingNode(
                        Tag.MAP,
                        section.entries().entrySet().stream()
                                .map(e -> new NodeTuple(scalar(e.getKey()), of(e.getValue())))
                                .toList(),
                        FlowStyle.BLOCK);
        };
    }

    private static Node scalar(String text) {
        return new ScalarNode(Tag.STR, text, ScalarStyle.DOUBLE_QUOTED);
    }
}
